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
      agentsDir: "./agents",
      httpToolHosts: [],
      model: null,
      bitrixWebhookUrl: null,
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
      OBELUS_AGENTS_DIR: "/srv/agents",
      OBELUS_HTTP_TOOL_HOSTS: "CRM.example.org, 127.0.0.1:8080,[::1]:9000",
      OBELUS_MODEL_BASE_URL: "http://127.0.0.1:11434/v1",
      OBELUS_MODEL_API_KEY: "secret",
      OBELUS_MODEL: "gpt",
      OBELUS_MODEL_FOLDER: "b1g",
      BITRIX24_WEBHOOK_URL: "https://b24.example.org/rest/1/secret/",
    });
    expect(config).toEqual({
      host: "::1",
      port: 0,
      dataDir: "/var/lib/obelus",
      demo: false,
      allowedHosts: ["studio.example.org", "box"],
      logLevel: "debug",
      durability: "normal",
      agentsDir: "/srv/agents",
      httpToolHosts: ["crm.example.org", "127.0.0.1:8080", "[::1]:9000"],
      model: { baseUrl: "http://127.0.0.1:11434/v1", apiKey: "secret", model: "gpt", folder: "b1g" },
      bitrixWebhookUrl: "https://b24.example.org/rest/1/secret/",
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
    ["OBELUS_HTTP_TOOL_HOSTS", "https://crm.example.org"],
    ["OBELUS_HTTP_TOOL_HOSTS", "crm.example.org/path"],
    ["OBELUS_HTTP_TOOL_HOSTS", "*"],
    ["OBELUS_MODEL_BASE_URL", "api.openai.com"],
  ])("refuses %s=%s", (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(`${name}=${value} `);
  });

  it("refuses a webhook's address that is none, and never repeats the secret in it", () => {
    const read = () => readConfig({ BITRIX24_WEBHOOK_URL: "http://b24.example.org/rest/1/very-secret/" });
    expect(read).toThrow("BITRIX24_WEBHOOK_URL must begin with https://");
    expect(read).not.toThrow("very-secret");
  });

  it("is told whole by .env.example", () => {
    const example = readFileSync(new URL("../../.env.example", import.meta.url), "utf8");
    const told = Object.fromEntries(
      [...example.matchAll(/^# ([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    );
    const { model: _, ...others } = readConfig({});
    const ofModel = ["OBELUS_MODEL_BASE_URL", "OBELUS_MODEL_API_KEY", "OBELUS_MODEL", "OBELUS_MODEL_FOLDER"];
    expect(Object.keys(told)).toEqual(expect.arrayContaining(ofModel));
    expect(Object.keys(told)).toHaveLength(Object.keys(others).length + ofModel.length);
    expect(readConfig(told)).toEqual(readConfig({}));
  });
});
