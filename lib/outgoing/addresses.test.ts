import { describe, expect, it } from "vitest";
import { hostName, isPrivate, isPrivateHost, privateHosts } from "./addresses.ts";

describe("Security: addresses that are not public", () => {
  it.each([
    ...["0.0.0.0", "10.0.0.1", "10.255.255.255", "100.64.0.1", "127.0.0.1", "127.8.8.8", "169.254.169.254"],
    ...["172.16.0.1", "172.31.255.255", "192.168.1.1", "192.0.0.8", "198.18.0.1", "203.0.113.9"],
    ...["224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255"],
    ...["::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:169.254.169.254", "::ffff:0:10.0.0.1"],
    ...["fc00::1", "fd12:3456::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "2001:db8::1", "2002:7f00:1::"],
    ...["64:ff9b::10.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "2001::1", "100::1"],
  ])("%s is private", (address) => {
    expect(isPrivate(address)).toBe(true);
  });

  it.each([
    ...["8.8.8.8", "1.1.1.1", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0", "169.253.255.255"],
    ...["223.255.255.255", "2606:4700:4700::1111", "2a00:1450::1", "::ffff:8.8.8.8", "64:ff9b::808:808"],
  ])("%s is public", (address) => {
    expect(isPrivate(address)).toBe(false);
  });

  it.each(["", "localhost", "127.1", "0x7f.0.0.1", "undefined"])(
    "%s, which is no address, is not taken for a public one",
    (text) => {
      expect(isPrivate(text)).toBe(true);
    },
  );
});

describe("Security: private hosts that may be called", () => {
  it.each(["crm.local", "crm", "10.0.0.5", "10.0.0.0/8", "fd00::/8", "::1", "портал.рф"])(
    "%s can be named",
    (entry) => {
      expect(isPrivateHost(entry)).toBe(true);
    },
  );

  it.each([
    "",
    "crm.local:80",
    "10.0.0.0/33",
    "fd00::/129",
    "crm.local/8",
    "10.0.0",
    "10.0.0.0/8/8",
    "http://crm.local",
    "*",
  ])("%s cannot", (entry) => {
    expect(isPrivateHost(entry)).toBe(false);
  });

  it("are matched by name, address or network, in any spelling", () => {
    const hosts = privateHosts(["CRM.local", "10.0.0.5", "192.168.0.0/16", "fd00::/8"]);
    expect(hosts.include("crm.local", "10.9.9.9")).toBe(true);
    expect(hosts.include("crm.LOCAL.", "10.9.9.9")).toBe(true);
    expect(hosts.include("evil-crm.local", "10.9.9.9")).toBe(false);
    expect(hosts.include("x", "10.0.0.5")).toBe(true);
    expect(hosts.include("x", "10.0.0.6")).toBe(false);
    expect(hosts.include("x", "192.168.44.1")).toBe(true);
    expect(hosts.include("x", "fd12::1%eth0")).toBe(true);
    expect(hosts.include("x", "fe80::1%eth0")).toBe(false);
  });

  it("host names are compared in canonical form", () => {
    expect(
      ["LOCALHOST", "localhost.", "0x7f.1", "2130706433", "0177.0.0.1", "::FFFF:127.0.0.1", "ПОРТАЛ.рф"].map(hostName),
    ).toEqual([
      ...["localhost", "localhost", "127.0.0.1", "127.0.0.1", "127.0.0.1", "::ffff:7f00:1", "xn--80awhdgm.xn--p1ai"],
    ]);
  });
});
