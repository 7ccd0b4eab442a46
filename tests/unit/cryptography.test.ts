import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Signs that a module encrypts, signs, makes a MAC or a key, or hashes a password. */
const CRYPTOGRAPHY = [
  /\b(create(Cipheriv|Decipheriv|Hmac)|hkdf(Sync)?|pbkdf2(Sync)?|scrypt(Sync)?|generateKeyPair(Sync)?)\b(?!:)/,
  /import \{[^}]*\bsign\b[^}]*\} from "node:crypto"/,
  /\bsubtle\.(encrypt|sign|deriveKey|generateKey)\b/,
  /from "(@node-rs\/argon2|otpauth|@simplewebauthn\/server)"/,
  /\bcreateCookie(SessionStorage)?[(<]/,
];
const usesKeys = (path: string): boolean => {
  const source = readFileSync(path, "utf8");
  return CRYPTOGRAPHY.some((sign) => sign.test(source));
};

/** The cookie with the choice of colours is not signed. */
const UNSIGNED = "app/http/theme.server.ts";

test("docs/security/cryptography.md names every module that uses a key or hashes a password", () => {
  const inventory = readFileSync("docs/security/cryptography.md", "utf8");
  const users = ["app", "db"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((path) => join(folder, path))
      .filter((path) => /\.tsx?$/.test(path) && path !== UNSIGNED && usesKeys(path)),
  );
  expect(users.length).toBeGreaterThan(5);
  expect(users.filter((path) => !inventory.includes(`\`${path}\``))).toEqual([]);
});
