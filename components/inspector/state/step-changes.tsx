"use client";

import { useTranslations } from "next-intl";
import { ShortValue } from "@/components/format/short-value.tsx";
import { useStudio } from "@/components/studio/use-studio.ts";
import { PathPill } from "@/components/ui/path-pill.tsx";
import { type Path, printPath } from "@/lib/plan/reference.ts";
import { isKnown } from "@/lib/session/event.ts";
import type { Json } from "@/lib/session/json/json.ts";
import type { StateChange } from "./state-changes.ts";
import type { StateView } from "./use-state-view.ts";

/** More would push the tree out of view; the rest is marked in the tree. */
const SHOWN = 6;

interface StepChangesProps {
  view: StateView;
  onPick: (path: Path) => void;
}

/** What this step changed in the state, old and new. Its height is fixed, so that the tree stays where it is. */
export function StepChanges({ view, onPick }: StepChangesProps) {
  const t = useTranslations("inspector.changes");
  const { changes } = view;
  const earlier = changes?.find(({ run }) => run !== null)?.run ?? null;
  return (
    <section
      aria-label={t("title")}
      className="h-25 phone:h-45 flex-none overflow-y-auto border-line border-b px-3 py-2"
    >
      <header className="flex min-h-5 items-center gap-1.5 text-11 whitespace-nowrap text-fg-3">
        <h3 className="text-12 font-semibold text-fg">{t("title")}</h3>
        <span className="flex-1" />
        {changes !== null && changes.length > 0 && <Written view={view} />}
      </header>
      {changes === null && <p className="pt-1 text-fg-3">{t("loading")}</p>}
      {changes?.length === 0 && <Nothing view={view} />}
      {changes !== null && changes.length > 0 && (
        <ul className="-mx-1.5 grid grid-cols-[20px_fit-content(62%)_minmax(0,1fr)] pt-1">
          {changes.slice(0, SHOWN).map((change) => (
            <li key={printPath(change.path)} className="col-span-3 grid grid-cols-subgrid">
              <Row change={change} onPick={onPick} />
            </li>
          ))}
        </ul>
      )}
      {changes !== null && changes.length > SHOWN && (
        <p className="pt-1 text-11 text-fg-3">{t("more", { count: changes.length - SHOWN })}</p>
      )}
      {earlier !== null && <p className="pt-1.25 text-11 text-fg-3">{t("earlier", { run: earlier })}</p>}
    </section>
  );
}

/** The call that wrote each path. */
function Written({ view }: { view: StateView }) {
  const event = useStudio((state) => state.event);
  if (!event || !isKnown(event) || event.type !== "state.written") return null;
  const { call_id, path } = event.payload;
  const writer = [...view.writers.values()].find(({ write }) => write.seq === event.seq);
  const tool = writer?.call?.tool ?? call_id;
  return (
    <>
      {tool && <span className="min-w-0 truncate narrow:hidden">{tool} →</span>}
      <PathPill path={path} className="min-w-0" />
    </>
  );
}

/** The step did not change the state: says when it last changed. */
function Nothing({ view: { session, looked } }: { view: StateView }) {
  const t = useTranslations("inspector.changes");
  const jump = useStudio((state) => state.jump);
  const event = useStudio((state) => state.event);
  if (event && isKnown(event) && event.type === "state.written" && (event.run_id ?? "") !== looked.run?.id) {
    const { path } = event.payload;
    return <p className="pt-1 text-fg-3">{t.rich("elsewhere", { path: () => <PathPill path={path} /> })}</p>;
  }
  const newest = Math.max(
    0,
    ...(looked.run?.writes.filter(({ instance }) => instance === looked.instance).map(({ seq }) => seq) ?? []),
  );
  return (
    <p className="truncate pt-1 text-fg-3">
      {session.at === 0 ? t("atZero") : t("nothing")}{" "}
      {newest > 0 && newest !== session.at && (
        <button
          type="button"
          onClick={() => jump(newest)}
          className="text-fg-2 phone:min-h-11 underline decoration-line-control underline-offset-3 hover:text-fg"
        >
          {t("last", { step: newest })}
        </button>
      )}
    </p>
  );
}

const LOOK = {
  add: { sign: "+", ground: "bg-add-bg", ink: "text-add" },
  change: { sign: "~", ground: "bg-chg-bg", ink: "text-chg" },
  remove: { sign: "−", ground: "bg-del-bg", ink: "text-del" },
} as const satisfies Record<StateChange["kind"], object>;

function Row({ change: { path, kind, before, after }, onPick }: { change: StateChange; onPick: (path: Path) => void }) {
  const t = useTranslations("inspector.changes");
  const { sign, ground, ink } = LOOK[kind];
  return (
    <button
      type="button"
      onClick={() => onPick(path)}
      className={`col-span-3 mb-px grid grid-cols-subgrid items-baseline rounded-1 pr-1.5 text-left font-mono text-11 leading-[19px] phone:leading-[44px] whitespace-nowrap hover:ring-1 hover:ring-line-control ${ground}`}
    >
      <span aria-hidden className={`pl-1.5 font-bold ${ink}`}>
        {sign}
      </span>
      <span className="truncate pr-4 text-fg">
        <span className="sr-only">{t(kind)} </span>
        {printPath(path).replace(/^\./, "") || "†state"}
      </span>
      <span className="truncate text-fg">
        {kind !== "add" && (
          <del className={kind === "change" ? "text-fg-3" : "text-del"}>
            <Mono value={before} />
          </del>
        )}
        {kind === "change" && <span className="text-fg-3"> → </span>}
        {kind !== "remove" && (
          <ins className="no-underline">
            <Mono value={after} />
          </ins>
        )}
      </span>
    </button>
  );
}

function Mono({ value }: { value: Json | undefined }) {
  if (value === undefined) return null;
  if (typeof value === "string" || typeof value === "number") return JSON.stringify(value);
  return <ShortValue value={value} />;
}
