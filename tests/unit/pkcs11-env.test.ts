import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ConfigError } from "~/lib/config-error";
import { parseEnv } from "~/lib/env.server";

const dir = mkdtempSync(join(tmpdir(), "marque-pkcs11-"));
afterAll(() => rmSync(dir, { recursive: true }));

const fileWith = (name: string, content: string) => {
  writeFileSync(join(dir, name), content);
  return join(dir, name);
};
const PKCS11_MODULE = fileWith("module.so", "");
const TOKEN = { PKCS11_MODULE, PKCS11_TOKEN: "marque", PKCS11_PIN: "1234" };

function problemsOf(variables: Record<string, string>): readonly string[] {
  try {
    parseEnv(variables);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe("variables of a PKCS #11 token", () => {
  test("[CAL-01] without PKCS11_MODULE every key is a file, and another variable is refused by name", () => {
    expect(parseEnv({}).pkcs11).toBeUndefined();
    expect(parseEnv({ PKCS11_MODULE: "", PKCS11_TOKEN: "" }).pkcs11).toBeUndefined();
    expect(problemsOf({ PKCS11_TOKEN: "marque" })).toEqual(["PKCS11_MODULE is missing, but PKCS11_TOKEN is set"]);
  });

  test("[CAL-01] the issuing CAs are on the token unless others are named", () => {
    expect(parseEnv(TOKEN).pkcs11).toEqual({
      module: PKCS11_MODULE,
      label: "marque",
      pin: "1234",
      authorities: ["issuing-sha2", "issuing-g3"],
      sessions: 3,
    });
    const named = parseEnv({ ...TOKEN, PKCS11_AUTHORITIES: "root, root-g3", PKCS11_SESSIONS: "64" }).pkcs11;
    expect(named).toMatchObject({ authorities: ["root", "root-g3"], sessions: 64 });
  });

  test("[CAL-01] the PIN can be the first line of a file", () => {
    const { PKCS11_PIN: _, ...rest } = TOKEN;
    expect(parseEnv({ ...rest, PKCS11_PIN_FILE: fileWith("pin", "98 76\r\nrest") }).pkcs11?.pin).toBe("98 76");
    for (const PKCS11_PIN_FILE of [fileWith("empty", "\n"), join(dir, "none")])
      expect(problemsOf({ ...rest, PKCS11_PIN_FILE })).toEqual([
        "PKCS11_PIN_FILE must be the path of a readable file with the PIN",
      ]);
  });

  test.each([
    [
      { PKCS11_MODULE: join(dir, "none.so") },
      "PKCS11_MODULE must be the path of the PKCS #11 library of the token's maker",
    ],
    [{ PKCS11_TOKEN: "" }, "PKCS11_TOKEN is missing: the label of the token"],
    [{ PKCS11_PIN: "" }, "PKCS11_PIN is missing: the user PIN, or PKCS11_PIN_FILE with its file"],
    [{ PKCS11_PIN_FILE: fileWith("second", "1") }, "PKCS11_PIN_FILE must be unset when PKCS11_PIN is set"],
    [
      { PKCS11_AUTHORITIES: "issuing-sha2,issuing" },
      "PKCS11_AUTHORITIES must be a comma list of names such as root, issuing-sha2, root-g3, issuing-g3, issuing-sha2-2031",
    ],
    [{ PKCS11_SESSIONS: "0" }, "PKCS11_SESSIONS must be a whole number from 1 to 64"],
    [{ PKCS11_SESSIONS: "65" }, "PKCS11_SESSIONS must be a whole number from 1 to 64"],
  ])("[CAL-01] %o is refused in one line that names the variable", (change, problem) => {
    expect(problemsOf({ ...TOKEN, ...change })).toEqual([problem]);
  });
});
