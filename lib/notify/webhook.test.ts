import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { createEgressPolicy } from "../outgoing/egress.ts";
import type { OutgoingNotice } from "./message.ts";
import { createWebhook, signed } from "./webhook.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const outgoing: OutgoingNotice = {
  ...{
    id: "notice_1",
    type: "test",
    subject: "A test",
    text: "Hi",
    notices: [],
    counts: { confirmation: 0, alert: 0, mention: 0, rule: 0 },
  },
  link: "http://127.0.0.1/approvals",
};
const NOW = Date.parse("2026-11-22T12:00:00.500Z");

it("Inform: webhooks are signed by the Standard Webhooks specification", () => {
  const headers = signed("msg_p5jXN8AQM9LWM0D4loKWxJek", '{"test": 2432232314}', SECRET, 1_614_265_330_000);
  expect(headers["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

it("Inform: a receiver gets signed JSON; only a 2xx counts as accepted, and redirects are not followed", async () => {
  const got: { headers: Record<string, unknown>; body: string }[] = [];
  const statuses = [204, 500, 307];
  const server = createServer(async (request, response) => {
    got.push({ headers: request.headers, body: await text(request) });
    response.writeHead(statuses.shift() ?? 200, { location: "/elsewhere" }).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const webhook = createWebhook({ url, secret: SECRET }, createEgressPolicy([]), () => NOW);
  expect(await webhook.send(outgoing)).toBeNull();
  expect(await webhook.send(outgoing)).toBe("It answered with status 500");
  expect(await webhook.send(outgoing)).toBe("It answered with status 307");
  expect(got).toHaveLength(3);
  const [{ headers, body } = { headers: {}, body: "" }] = got;
  expect(headers).toMatchObject({ "webhook-id": "notice_1", "webhook-timestamp": "1795348800" });
  const key = Buffer.from(SECRET.slice(6), "base64");
  const signature = createHmac("sha256", key).update(`notice_1.1795348800.${body}`).digest("base64");
  expect(headers["webhook-signature"]).toBe(`v1,${signature}`);
  expect(JSON.parse(body)).toEqual({
    ...{ type: "notices.test", timestamp: "2026-11-22T12:00:00.500Z" },
    data: { subject: "A test", text: "Hi", counts: outgoing.counts, link: outgoing.link, notices: [] },
  });
  server.closeAllConnections();
  server.close();
  expect(await webhook.send(outgoing)).toContain("ECONNREFUSED");
});

it("Security: a webhook with a private address is not called", async () => {
  const openEgress = createEgressPolicy([], (_host, _options, answer) =>
    answer(null, [{ address: "10.0.0.1", family: 4 }]),
  );
  const webhook = createWebhook({ url: "https://hooks.example/x", secret: SECRET }, openEgress, () => NOW);
  expect(await webhook.send(outgoing)).toContain("add it to OBELUS_PRIVATE_HOSTS");
});
