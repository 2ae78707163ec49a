import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readConfig } from "./config.ts";

describe("Configuration is read from the environment and checked", () => {
  it("has defaults for everything; empty counts as not set", () => {
    const defaults = {
      host: "127.0.0.1",
      port: 3000,
      dataDir: "./data",
      demo: true,
      allowedHosts: [],
      logLevel: "info",
      durability: "full",
    };
    expect(readConfig({})).toEqual(defaults);
    expect(readConfig({ PORT: "", HOST: " ", OBELUS_DEMO: "" })).toEqual(defaults);
  });

  it("takes what is set", () => {
    const config = readConfig({
      HOST: "[::1]",
      PORT: "0",
      OBELUS_DATA_DIR: "/var/lib/obelus",
      OBELUS_DEMO: "0",
      OBELUS_ALLOWED_HOSTS: "Studio.example.org, box",
      OBELUS_LOG_LEVEL: "debug",
      OBELUS_DURABILITY: "normal",
    });
    expect(config).toEqual({
      host: "::1",
      port: 0,
      dataDir: "/var/lib/obelus",
      demo: false,
      allowedHosts: ["studio.example.org", "box"],
      logLevel: "debug",
      durability: "normal",
    });
  });

  it("says of every variable that does not hold what it must be", () => {
    expect(() => readConfig({ HOST: "0.0.0.0", PORT: "70000", OBELUS_DEMO: "yes" })).toThrow(
      [
        "HOST=0.0.0.0 is not a loopback address, and no credentials can be set yet; use 127.0.0.1, localhost or ::1.",
        "PORT=70000 must be a whole number from 0 to 65535, such as 3000.",
        "OBELUS_DEMO=yes must be 1 (fill an empty database with the demo) or 0.",
      ].join("\n"),
    );
  });

  it.each([
    ["HOST", "192.168.1.4"],
    ["HOST", "127.0.0.1.evil.example"],
    ["HOST", "127.0.0.300"],
    ["PORT", "-1"],
    ["PORT", "3000.5"],
    ["OBELUS_ALLOWED_HOSTS", "a,,b"],
    ["OBELUS_ALLOWED_HOSTS", "box:80"],
    ["OBELUS_LOG_LEVEL", "loud"],
    ["OBELUS_DURABILITY", "fast"],
  ])("refuses %s=%s", (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(`${name}=${value} `);
  });

  it("is told whole by .env.example", () => {
    const example = readFileSync(new URL("../../.env.example", import.meta.url), "utf8");
    const told = Object.fromEntries(
      [...example.matchAll(/^# ([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    );
    expect(Object.keys(told)).toHaveLength(Object.keys(readConfig({})).length);
    expect(readConfig(told)).toEqual(readConfig({}));
  });
});
