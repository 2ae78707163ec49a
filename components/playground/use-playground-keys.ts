"use client";

import { useEffect, useEffectEvent } from "react";
import type { StoreApi } from "zustand/vanilla";
import { isTyping } from "@/components/shell/is-typing.ts";
import type { StudioState } from "@/components/studio/studio-state.ts";
import { RUN_ID, SAVE_ID } from "./ids.ts";

interface Keys {
  store: StoreApi<StudioState>;
  openText: () => void;
  connect: () => void;
}

/** The keys of the page, whatever the keyboard's language: to the text, through the waves, to draw, run and save. */
export function usePlaygroundKeys({ store, openText, connect }: Keys): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (isTyping(event) || event.shiftKey) return;
    const onControl = event.target instanceof Element && event.target.closest("button, a, summary, [role=tree]");
    const done = act(event.code, onControl !== null && onControl !== false);
    if (done) event.preventDefault();
  });
  const act = (code: string, onControl: boolean): boolean => {
    const state = store.getState();
    switch (code) {
      case "KeyE":
        openText();
        return true;
      case "KeyC":
        connect();
        return true;
      case "KeyR":
        return press(RUN_ID);
      case "KeyS":
        return press(SAVE_ID);
      case "ArrowLeft":
      case "ArrowRight":
        if (onControl) return false;
        state.step("step", code === "ArrowLeft" ? -1 : 1);
        return true;
      case "Space":
        if (onControl) return false;
        if (state.playing) state.pause();
        else state.play();
        return true;
      default:
        return false;
    }
  };
  // The outside system is the keyboard.
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}

function press(id: string): boolean {
  const button = document.getElementById(id);
  button?.click();
  return button !== null;
}
