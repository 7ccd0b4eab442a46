import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, inject, test } from "vitest";
import * as change from "~/routes/_public.change-password/route";
import * as login from "~/routes/_public.login";
import * as notice from "~/routes/_public.password-expiry";
import { SQLite } from "~db/sqlite.server";
import { COMMAND_LINE } from "../../scripts/build.mjs";
import { ADMIN } from "../support/administrator";
import { runCommand } from "../support/command";
import { usePortal } from "../support/portal";
import { ANSWER, QUESTION } from "../support/recovery";
import { TEST_SECRETS } from "../support/template";
import { anonymous, run } from "../support/visitor";

const HTTPS = { PUBLIC_URL: "https://portal.example.org", TRUST_PROXY: "1", ROOT_PASSPHRASE: "" };
const SHOWN = /with the password (\S{20}) \(shown only once; it must be changed at the first login\)/;

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

/** Takes the keys of the roots away, which a portal for real use does not have. */
function removeRootKeys(dataDir: string): void {
  for (const name of ["root", "root-g3"]) rmSync(join(dataDir, "ca", `${name}.key.pem`));
}

/** Returns the variables of a portal that has everything but its administrator, or nothing at all when `isEmpty`. */
function newPortal(isEmpty = false) {
  const dataDir = mkdtempSync(join(tmpdir(), "marque-first-"));
  folders.push(dataDir);
  if (!isEmpty) cpSync(inject("templateDir"), dataDir, { recursive: true });
  const none = { DATABASE_URL: "", ADMIN_PASSWORD: "", PUBLIC_URL: "", TRUST_PROXY: "" };
  return { ...none, NODE_ENV: "production" as const, DATA_DIR: dataDir, ...TEST_SECRETS };
}

/** Returns whether the administrator of a portal must change the password. */
function mustChange({ DATA_DIR }: { DATA_DIR: string }): boolean {
  const database = new SQLite(join(DATA_DIR, "marque.sqlite"), { readonly: true });
  const row = database.prepare("select must_change_password as must from users where is_admin = 1").get();
  database.close();
  return Boolean((row as { must: number }).must);
}

const portal = usePortal();

test("[LOG-05] the generated password goes to a file of the owner alone, and the portal removes it when it is changed", async () => {
  const file = join(portal.dataDir, "administrator-password");
  const { code, out } = await runCommand(["setup"], portal.env);
  const content = readFileSync(file, "utf8");
  const [, password = ""] = /^Account: admin@example\.org\nPassword: (\S{20})\n$/.exec(content) ?? [];
  expect(password).not.toBe("");
  expect(code).toBe(0);
  expect(out).toContain(`with the password in ${file} (removed when the password is changed)\n`);
  expect(out).not.toContain(password);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const visitor = await anonymous();
  const post = async (action: Parameters<typeof run>[0], path: string, fields: Record<string, string>) => {
    const response = await run(action, await visitor.post(path, fields));
    visitor.follow(response);
    return response.headers.get("Location");
  };
  expect(await post(login.action, "/login", { email: ADMIN.email, password })).toBe("/password-expiry");
  expect(await post(notice.action, "/password-expiry", {})).toBe("/change-password");
  const question = { securityQuestion: QUESTION, securityAnswer: ANSWER };
  const changeTo = (chosen: string) =>
    post(change.action, "/change-password", { password: chosen, confirmPassword: chosen, ...question });
  expect(await changeTo(password)).toBeNull(); // the same password is refused
  expect(existsSync(file)).toBe(true);
  expect(await changeTo(ADMIN.password)).toBe("/home/dashboard");
  expect(existsSync(file)).toBe(false);
});

test("[LOG-05] a terminal shows the generated password, and no file holds it", () => {
  const env = newPortal();
  const printed = execFileSync("script", ["-qec", `"${process.execPath}" "${COMMAND_LINE}" setup`, "/dev/null"], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  expect(printed).toMatch(SHOWN);
  expect(readdirSync(env.DATA_DIR)).not.toContain("administrator-password");
  expect(mustChange(env)).toBe(true);
});

test.each([
  [{}, false],
  [{ PUBLIC_URL: "http://portal.example.org" }, false],
  [{ PUBLIC_URL: "https://localhost:3000" }, false],
  [HTTPS, true],
])(
  "[LOG-05] with %j an administrator with ADMIN_PASSWORD must change it at the first login: %s",
  async (given, must) => {
    const env = { ...newPortal(), ADMIN_PASSWORD: ADMIN.password, ...given };
    if (must) removeRootKeys(env.DATA_DIR);
    const { code, out } = await runCommand(["setup"], env);
    expect([code, out.includes("with the password")]).toEqual([0, false]);
    expect(readdirSync(env.DATA_DIR)).not.toContain("administrator-password");
    expect(mustChange(env)).toBe(must);
  },
);

test.each(["administrator", "Password2026!", "short1"])(
  "[PUB-07] the first administrator's password follows the rules: ADMIN_PASSWORD=%s stops the set-up",
  async (ADMIN_PASSWORD) => {
    const { code, err } = await runCommand(["setup"], { ...newPortal(), ADMIN_PASSWORD });
    expect(code).toBe(1);
    expect(err).toMatch(
      /^portal: ADMIN_PASSWORD (is refused: (This password is too easy|The password must not be your own)|must have 8 to 50)/,
    );
  },
);

test("[PUB-07] with an https address the set-up names TRUST_PROXY and the secrets, and makes nothing", async () => {
  const env = { ...newPortal(true), PUBLIC_URL: HTTPS.PUBLIC_URL, AUDIT_KEYS: "" };
  const { code, out, err } = await runCommand(["setup"], env);
  expect([code, out]).toEqual([1, ""]);
  expect(err.split("\n")).toEqual([
    expect.stringContaining(
      "portal: TRUST_PROXY must be set when PUBLIC_URL is https, to the number of reverse proxies",
    ),
    expect.stringContaining(
      "portal: SESSION_SECRETS, CA_PASSPHRASE, RESPONDER_PASSPHRASE and AUDIT_KEYS must be set as variables",
    ),
    "",
  ]);
  expect(readdirSync(env.DATA_DIR)).toEqual([]);
});

test("[PUB-07] secrets that a trial has generated are refused at an https address, with the file that has them", async () => {
  const { SESSION_SECRETS: _, ...withoutOne } = newPortal();
  const trial = { ...withoutOne, SESSION_SECRETS: "" };
  expect(await runCommand(["setup"], trial)).toMatchObject({ code: 0 });
  const { code, err } = await runCommand(["setup"], { ...trial, ...HTTPS });
  expect(code).toBe(1);
  expect(err).toContain(`set the values that ${join(trial.DATA_DIR, "secrets.json")} has, then delete it`);
});
