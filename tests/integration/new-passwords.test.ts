import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkFirstPassword } from "~/domain/accounts/administration/administrators.service.server";
import { checkBreachedPasswords } from "~/domain/accounts/breached-passwords.server";
import { hashPassword } from "~/domain/accounts/passwords.server";
import { getConfig } from "~/lib/config.server";
import * as register from "~/routes/_public.register/route";
import { ApiClient } from "../support/api";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { usePortal } from "../support/portal";
import { admitted, changePassword, createMember, logsIn } from "../support/recovery";
import { filledRegistration } from "../support/registration";
import { customer, refusalOf } from "../support/user-details";
import { anonymous, errorsOf, run } from "../support/visitor";

usePortal({ ADMIN_PASSWORD: "chief@ca" });

const WEAK = /^This password is too easy to guess\. .*Choose a longer one/;
const BREACHED = /^This password is in a list of passwords that were stolen elsewhere\./;

const registrationRefusal = async (password: string) => {
  const fields = filledRegistration({ company: "Muster GmbH", password, confirmPassword: password });
  const visitor = await anonymous();
  return errorsOf(await run(register.action, await visitor.post("/register", fields)));
};

describe("a password that is easy to guess", () => {
  // This test must be the first in the file, because there must be no administrator yet.
  test("[PUB-07] as ADMIN_PASSWORD stops the set-up that would create the administrator, and no other", async () => {
    await expect(checkFirstPassword()).rejects.toThrow(
      /^ADMIN_PASSWORD is refused: This password is too easy to guess/,
    );
    await createAdmin();
    await expect(checkFirstPassword()).resolves.toBeUndefined();
  });

  test.each(["aaaaaaaa", "Password123!", "Password2026!", "Muster2026"])(
    "[REG-01] such as %s is refused at registration",
    async (password) => {
      const { status, errors, values } = await registrationRefusal(password);
      expect([status, errors]).toEqual([422, { password: expect.stringMatching(WEAK) as string }]);
      expect(values).not.toHaveProperty("password");
    },
  );

  test("[REC-05] [USR-05] is refused by a reset and by a change", async () => {
    const member = await createMember({ company: "Muster GmbH" });
    const { errors } = await errorsOf(await changePassword(await admitted(member.email), { password: "Muster2026" }));
    expect(errors.password).toMatch(WEAK);
    const { visitor } = await customer();
    const typed = { currentPassword: TEST_PASSWORD, password: "Password2026!", confirmPassword: "Password2026!" };
    expect((await refusalOf(visitor, typed)).errors.password).toMatch(WEAK);
  });

  test("[API-02] is refused by the call RegisterUser", async () => {
    const fields = filledRegistration({ password: "Password2026!", confirmPassword: "Password2026!" });
    const { content } = await new ApiClient().post<{ success: boolean; userMessage: string }>(
      "UserRegistration/RegisterUser",
      fields,
    );
    expect(content.success).toBe(false);
    expect(content.userMessage).toMatch(WEAK);
  });

  test("[LOG-01] still works where it was chosen before", async () => {
    const { email } = await createUser({ passwordHash: await hashPassword("aaaaaaaa") });
    expect(await logsIn(email, "aaaaaaaa")).toBe(true);
  });
});

describe("a list of breached passwords", () => {
  const KNOWN = ["purple gravel monday kite", "seven wet cardboard lions"];
  const sha1 = (text: string) => createHash("sha1").update(text).digest("hex").toUpperCase();
  const folder = mkdtempSync(join(tmpdir(), "marque-breached-"));
  const file = join(folder, "breached.txt");
  const use = (breachedPasswords: string) => {
    const config = getConfig();
    getConfig.replace({ ...config, accounts: { ...config.accounts, breachedPasswords } });
  };

  beforeAll(() => use(file));
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([2, 40, 20_000])("[REG-01] with %s lines refuses a password in it and no other", async (count) => {
    const others = Array.from({ length: count }, (_, index) => sha1(`another green kettle ${index}`));
    const hashes = [...others, ...KNOWN.map(sha1)].sort();
    writeFileSync(file, hashes.map((hash, index) => `${hash}:${index ** 3}`).join("\r\n"));
    await checkBreachedPasswords();
    for (const password of [KNOWN[0], KNOWN[1], "another green kettle 0", "another green kettle 1"])
      expect((await registrationRefusal(password ?? "")).errors.password).toMatch(BREACHED);
    const fields = filledRegistration();
    const visitor = await anonymous();
    expect((await run(register.action, await visitor.post("/register", fields))).status).toBe(303);
  });

  test("[REG-01] is searched to the first and last line", async () => {
    const hashes = Array.from({ length: 3000 }, (_, index) => sha1(`quite another one ${index}`)).sort();
    const [first, last] = [hashes[0], hashes.at(-1)];
    const wordOf = (hash: string | undefined) =>
      Array.from({ length: 3000 }, (_, index) => `quite another one ${index}`).find((word) => sha1(word) === hash);
    writeFileSync(file, hashes.map((hash) => `${hash}:1\n`).join(""));
    for (const hash of [first, last])
      expect((await registrationRefusal(wordOf(hash) ?? "")).errors.password).toMatch(BREACHED);
  });

  test("[PUB-07] that is missing or invalid stops the start with a line that names the key", async () => {
    writeFileSync(file, "password\n123456\n");
    await expect(checkBreachedPasswords()).rejects.toThrow(
      /^PORTAL_CONFIG: accounts\.breachedPasswords must name a list of SHA-1 hashes/,
    );
    use(join(folder, "none.txt"));
    await expect(checkBreachedPasswords()).rejects.toThrow(
      /breachedPasswords must name a file that can be read: ENOENT/,
    );
    expect((await run(register.action, await (await anonymous()).post("/register", filledRegistration()))).status).toBe(
      303,
    );
  });
});
