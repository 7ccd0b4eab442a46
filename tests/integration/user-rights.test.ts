import { beforeAll, describe, expect, test } from "vitest";
import { administerAccount, requireAccount } from "~/domain/accounts/administration/user-administration.service.server";
import { systemActor } from "~/domain/audit/audit.service.server";
import * as queue from "~/routes/home.certificate-queue._index";
import * as certificates from "~/routes/home.certificates";
import { getDb } from "~db/connection.server";
import { storeRight } from "~db/repositories/user-rights.server";
import { updateUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { administer, atOnce, auditAbout, confirmed, refusalOf, storedUser } from "../support/administration";
import { createCertificateOrder } from "../support/certificates";
import { createAdmin, createUser } from "../support/factories";
import { untilOthersWait } from "../support/lock-waits";
import { usePortal } from "../support/portal";
import { errorsOf, run, signedInAs, type Visitor } from "../support/visitor";
import { purchase } from "../support/wizard-routes";

usePortal();

type User = Awaited<ReturnType<typeof createUser>>;
let olga: User;
let staff: Visitor;

beforeAll(async () => {
  olga = await createAdmin();
  staff = await signedInAs(olga);
});

const send = (user: { id: number }, fields: Record<string, string>) => administer(staff, user, fields);
const confirm = (user: { id: number }, fields: Record<string, string>, visitor = staff) =>
  confirmed(visitor, user, fields);

describe("rights", () => {
  test("[MAN-02] [DSH-03] take effect at the user's next request when granted or withdrawn", async () => {
    const user = await createUser();
    const visitor = await signedInAs(user);
    const asAdmin = async () => (await run(queue.loader, visitor.get("/home/certificate-queue"))).status;
    expect(await asAdmin()).toBe(303);
    await send(user, { intent: "grant-admin" });
    expect(await asAdmin()).toBe(303);
    await confirm(user, { intent: "grant-admin" });
    expect(await asAdmin()).toBe(200);
    await confirm(user, { intent: "withdraw-admin" });
    expect(await asAdmin()).toBe(303);

    const path = "/home/certificate/purchase/contact-details";
    const buys = async () => (await run(purchase.contact.loader, visitor.get(path))).headers.get("Location");
    expect(await buys()).not.toBe("/home/dashboard");
    await confirm(user, { intent: "withdraw-applicant" });
    expect(await buys()).toBe("/home/dashboard");
    expect((await run(certificates.loader, visitor.get("/home/certificates"))).status).toBe(200);
    await send(user, { intent: "grant-applicant" });
    expect(await buys()).not.toBe("/home/dashboard");
    expect((await auditAbout(user)).map(({ message }) => message)).toEqual([
      "Granted the right Admin.",
      "Withdrew the right Admin.",
      "Withdrew the right Applicant.",
      "Granted the right Applicant.",
    ]);
  });

  test("[MAN-02] never change one's own right or account, whatever is sent", async () => {
    const messages = {
      "withdraw-admin": "You cannot withdraw your own right Admin.",
      disable: "You cannot disable your own account.",
      "log-in-as": "You are logged in as this user already.",
    };
    for (const [intent, message] of Object.entries(messages))
      expect(await refusalOf(await confirm(olga, { intent, reason: "x" }))).toBe(message);
    expect(await storedUser(olga)).toMatchObject({ isAdmin: true, isDisabled: false });
  });

  test.each([
    [{ intent: "" }, "intent"],
    [{ intent: "delete" }, "intent"],
    [{ intent: "disable" }, "reason"],
    [{ intent: "unlock", reason: "x".repeat(501) }, "reason"],
  ])("[MAN-02] refuse the invalid form %j at its field", async (fields, field) => {
    const { status, errors } = await errorsOf(await confirm(await createUser(), fields));
    expect({ status, fields: Object.keys(errors) }).toEqual({ status: 422, fields: [field] });
  });

  test("[MAN-02] of a merged account cannot be changed", async () => {
    const merged = await createUser({ isDisabled: true, mergedInto: olga.id });
    for (const intent of ["enable", "disable", "grant-admin", "withdraw-applicant", "send-verification", "log-in-as"])
      expect(await refusalOf(await confirm(merged, { intent, reason: "x" }))).toBe(
        "The account was merged into another one.",
      );
    expect(await storedUser(merged)).toMatchObject({ isDisabled: true, isAdmin: false, isApplicant: true });
  });

  test("[DSH-03] ignore a form without the token of the session", async () => {
    const user = await createUser();
    const other = await signedInAs(await createAdmin());
    const token = new URLSearchParams(await (await other.post("/logout")).text()).get("csrf") ?? "";
    for (const csrf of ["", token])
      expect((await confirm(user, { intent: "disable", reason: "x", csrf })).status).toBe(403);
    expect((await storedUser(user)).isDisabled).toBe(false);
  });
});

describe("two administrators at once", () => {
  test.each([
    ["disable", "The account is disabled already.", {}],
    ["enable", "The account is not disabled.", { isDisabled: true }],
    ["unlock", "The account is not locked.", { lockedUntil: new Date(Date.now() + 600_000) }],
    ["grant-admin", "The account has the right Admin already.", {}],
    ["withdraw-applicant", "The account does not have the right Applicant.", {}],
  ])("[MAN-02] who %s: the second is told", async (intent, message, given) => {
    const user = await createUser(given);
    const colleague = await signedInAs(await createAdmin());
    const fields = { intent, reason: "Left" };
    const answers = await atOnce(
      () => confirm(user, fields),
      () => confirm(user, fields, colleague),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422]);
    const second = answers.find(({ status }) => status === 422) ?? expect.fail("nobody was told");
    expect(await refusalOf(second)).toBe(message);
    expect(await auditAbout(user)).toHaveLength(1);
  });

  test("[MAN-02] who withdraw each other's right leave one administrator", async () => {
    const [one, two] = [await createAdmin(), await createAdmin()];
    const actorOf = ({ id, email }: User) => ({ id, name: email });
    let second: Promise<unknown> | undefined;
    await inTransaction(async (trx) => {
      await requireAccount(trx, "withdraw-admin", two.id, actorOf(one), { now: new Date() });
      const withdrawal = administerAccount({ action: "withdraw-admin", id: one.id, actor: actorOf(two) });
      second = withdrawal.catch((error: unknown) => error);
      await Promise.race([second, untilOthersWait()]);
      await storeRight(trx, two.id, { right: "admin", isGranted: false }, "tests", new Date());
    });
    expect(await second).toMatchObject({ status: 403, message: "You are no longer a user administrator." });
    expect([(await storedUser(one)).isAdmin, (await storedUser(two)).isAdmin]).toEqual([true, false]);
  });

  test("[MAN-02] cannot remove the last administrator, also from the command line", async () => {
    const actor = systemActor("command line");
    const admins = await getDb().selectFrom("users").select("id").where("isAdmin", "=", true).execute();
    const others = admins.map(({ id }) => id).filter((id) => id !== olga.id);
    for (const id of others) await updateUser(getDb(), id, { isAdmin: false });
    for (const action of ["withdraw-admin", "disable"] as const)
      await expect(administerAccount({ action, id: olga.id, actor, reason: "x" })).rejects.toThrow(
        "This is the last administrator.",
      );
    expect(await storedUser(olga)).toMatchObject({ isAdmin: true, isDisabled: false });
    const { id } = await createAdmin();
    await administerAccount({ action: "disable", id, actor, reason: "Left" });
    expect((await auditAbout({ id })).at(-1)).toMatchObject({ actorId: null, actorName: "command line" });
  });
});

test("in a small office, members of customer companies and other accounts of the same name get rights of staff", async () => {
  const admin = await createAdmin();
  const { firstName, lastName } = admin;
  const user = await createUser({ firstName, lastName });
  await createCertificateOrder(user);
  expect((await confirmed(await signedInAs(admin), user, { intent: "grant-finance" })).status).toBe(303);
  expect((await auditAbout(user)).map(({ event }) => event)).toContain("account.right-granted");
});
