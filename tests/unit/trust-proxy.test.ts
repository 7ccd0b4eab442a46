import { expect, test } from "vitest";
import { parseEnv, requireRealUse } from "~/lib/env.server";
import { problemsOf } from "../support/config-problems";

const trustOf = (value: string) => parseEnv({ TRUST_PROXY: value }).trustProxy;

const FORM =
  "the number of reverse proxies in front of the portal (1 to 10), their addresses or networks such as '192.0.2.7, 10.0.0.0/8', or 0 for none";

test.each([
  ["1", "203.0.113.7", [true, false, false]],
  ["2", "203.0.113.7", [true, true, false]],
  ["0", "127.0.0.1", [false, false, false]],
  ["off", "127.0.0.1", [false, false, false]],
  ["192.0.2.7", "192.0.2.7", [true, true, true]],
  ["192.0.2.7", "::ffff:192.0.2.7", [true, true, true]],
  ["192.0.2.7", "192.0.2.8", [false, false, false]],
  ["192.0.2.7", "unknown", [false, false, false]],
  ["192.0.2.7", "", [false, false, false]],
  ["203.0.113.1, 192.0.2.0/24", "192.0.2.8", [true, true, true]],
  ["2001:db8::/32", "2001:db8:1::7", [true, true, true]],
  ["loopback", "127.0.0.9", [true, true, true]],
  ["loopback", "::1", [true, true, true]],
  ["loopback", "10.0.0.1", [false, false, false]],
  ["linklocal", "fe80::1%eth0", [true, true, true]],
  ["linklocal, uniquelocal", "172.31.0.1", [true, true, true]],
  ["uniquelocal", "172.32.0.1", [false, false, false]],
  ["uniquelocal", "fd00::1", [true, true, true]],
] as [string, string, boolean[]][])(
  "TRUST_PROXY=%s: whether %s is trusted at the hops 0, 1 and 2",
  (value, address, trusted) => {
    expect([0, 1, 2].map((hop) => trustOf(value)?.(address, hop))).toEqual(trusted);
  },
);

test.each(["true", "TRUE", "yes", "on", "0.0.0.0/0", "192.0.2.7, ::/0"])(
  "TRUST_PROXY=%s is refused, because anybody could invent an address",
  (value) => {
    expect(problemsOf(() => trustOf(value))).toEqual([
      `TRUST_PROXY must not trust everybody, because then anybody could invent the address that the portal counts and records; set ${FORM}`,
    ]);
  },
);

test.each([
  "11",
  "-1",
  "1.5",
  "false",
  "proxy.example",
  "192.0.2.7,",
  "192.0.2.0/33",
  "::1/129",
  "192.0.2.1/24/1",
  " ",
  "toString",
])("TRUST_PROXY=%j is refused with the values that are possible", (value) => {
  expect(problemsOf(() => trustOf(value))).toEqual([`TRUST_PROXY must be ${FORM}`]);
});

const NO_PROXY = `TRUST_PROXY must be set when PUBLIC_URL is https, to ${FORM}`;
const NO_SECRETS =
  "SESSION_SECRETS, CA_PASSPHRASE, RESPONDER_PASSPHRASE and AUDIT_KEYS must be set as variables when PUBLIC_URL is https, because secrets beside the data are for trials; make each with 'openssl rand -hex 32'";
const SECRETS = {
  SESSION_SECRETS: "s".repeat(32),
  CA_PASSPHRASE: "p".repeat(32),
  RESPONDER_PASSPHRASE: "r".repeat(32),
  AUDIT_KEYS: "a".repeat(32),
};
const { AUDIT_KEYS: _, ...withoutOne } = SECRETS;
const ROOT_HERE =
  "ROOT_PASSPHRASE must be unset when PUBLIC_URL is https, also in secrets.json: the keys of the roots are opened on another machine";
const ONE_FOR_TWO =
  "RESPONDER_PASSPHRASE must differ from CA_PASSPHRASE, so that whoever has one of the two cannot open the other keys";

test.each([
  ["https://portal.example.org", {}, [NO_PROXY, NO_SECRETS]],
  ["https://portal.example.org", { TRUST_PROXY: "1" }, [NO_SECRETS]],
  ["https://portal.example.org", { TRUST_PROXY: "0", ...withoutOne }, [NO_SECRETS]],
  ["https://portal.example.org", SECRETS, [NO_PROXY]],
  ["https://portal.example.org", { TRUST_PROXY: "", ...SECRETS }, [NO_PROXY]],
  ["https://portal.example.org", { TRUST_PROXY: "0", ...SECRETS }, []],
  ["https://portal.example.org", { TRUST_PROXY: "0", ...SECRETS, ROOT_PASSPHRASE: "q".repeat(32) }, [ROOT_HERE]],
  ["https://portal.example.org", { TRUST_PROXY: "0", ...SECRETS, RESPONDER_PASSPHRASE: "p".repeat(32) }, [ONE_FOR_TWO]],
  ["https://localhost.example.org", {}, [NO_PROXY, NO_SECRETS]],
  ["https://localhost:3000", {}, []],
  ["https://portal.localhost", {}, []],
  ["https://127.0.0.1", {}, []],
  ["https://[::1]:3000", {}, []],
  ["http://portal.example.org", {}, []],
  ["", {}, []],
] as [string, Record<string, string>, string[]][])(
  "a start with PUBLIC_URL=%s and %j asks for what real use needs",
  (PUBLIC_URL, variables, problems) => {
    const env = parseEnv({ DATA_DIR: "/nonexistent", PUBLIC_URL, ...variables });
    expect(problemsOf(() => requireRealUse(env))).toEqual(problems);
  },
);
