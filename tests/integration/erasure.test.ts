import { describe, expect, test } from "vitest";
import { completeErasures } from "~/domain/accounts/personal-data/erasure.service.server";
import { verifyAndSign, verifyWhole } from "~/domain/audit/checkpoint.service.server";
import * as forgot from "~/routes/_public.forgot-password";
import * as register from "~/routes/_public.register/route";
import * as sessionsPage from "~/routes/home.sessions";
import * as userPage from "~/routes/home.users.$id/route";
import { getDb } from "~db/connection.server";
import { endInvitation, findInvitation } from "~db/repositories/members.server";
import { updateUser } from "~db/repositories/users.server";
import { administer, auditAbout, confirmed, refusalOf, storedUser } from "../support/administration";
import { record, verified } from "../support/audit";
import { createCertificateOrder } from "../support/certificates";
import { runCommand } from "../support/command";
import { invite } from "../support/companies";
import { createPerson, erase, placesOf, setCertificate } from "../support/erasure";
import { createStaff, createUser } from "../support/factories";
import { giveApp } from "../support/factors";
import { textsOf as shownTexts } from "../support/page";
import { usePeople } from "../support/people";
import { usePortal } from "../support/portal";
import { mailsTo } from "../support/recovery";
import { filledRegistration } from "../support/registration";
import { openPage } from "../support/route-page";
import { from, logInWith, storeProof } from "../support/sessions";
import { anonymous, run, signedInAs } from "../support/visitor";

const portal = usePortal();
const people = usePeople();

const ERASE = { intent: "erase", reason: "Asked by letter, recognised by a call back" };
const textsOf = ({
  email,
  lastName,
  telephoneNumber,
}: {
  email: string;
  lastName: string;
  telephoneNumber: string;
}) => [email, lastName, telephoneNumber];

describe("the erasure of a person", () => {
  test("is asked for on the account's page with a reason, and leaves a pseudonym and a sound audit trail", async () => {
    const person = await createPerson();
    const visitor = await signedInAs(person);
    await giveApp(person);
    await record({ actor: { id: person.id, name: person.email, client: { address: "192.0.2.9", userAgent: "x" } } });
    await record({ message: `Asked ${person.email} for the papers.`, userId: null });
    await record({
      event: "account.details-updated",
      message: "Changed: first name from 'Mila' to 'Ludmilla'.",
      userId: person.id,
    });
    await getDb()
      .insertInto("settings")
      .values({ name: "queryParams", userId: person.id, value: person.lastName, updatedAt: new Date() })
      .execute();
    await verifyAndSign();
    expect((await administer(people.admin.visitor, person, { ...ERASE, reason: "" })).status).toBe(422);
    const asked = await administer(people.admin.visitor, person, ERASE);
    expect(await asked.json()).toMatchObject({ asked: { intent: "erase" } });
    expect((await storedUser(person)).email).toBe(person.email);

    expect((await confirmed(people.admin.visitor, person, ERASE)).status).toBe(303);
    expect(await storedUser(person)).toMatchObject({
      username: `erased-person-${person.id}`,
      email: `erased-person-${person.id}@erased.invalid`,
      firstName: "Erased",
      lastName: `person ${person.id}`,
      position: "",
      telephoneNumber: "",
      isDisabled: true,
      isApplicant: false,
    });
    // the last message to the person waits to be sent
    expect(await placesOf(textsOf(person))).toEqual(["mails.recipient"]);
    expect(await placesOf(["Mila'"])).toEqual([]);
    const entries = await auditAbout(person);
    expect(entries.at(-1)).toMatchObject({ event: "account.erased" });
    expect(entries.at(-1)?.reference).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect((await verified()).problems).toEqual([]);
    await verifyAndSign();
    await verifyWhole();
    expect((await run(sessionsPage.loader, visitor.get("/home/sessions"))).status).toBe(302);
    await getDb()
      .updateTable("mails")
      .set({ sentAt: new Date(), text: "", html: "" })
      .where("dedupeKey", "=", `data-erased:${person.id}`)
      .execute();
    expect(await completeErasures()).toBe("0 contacts, 1 messages and 0 audit entries");
    expect(await placesOf(textsOf(person))).toEqual([]);
    const page = await openPage(userPage, people.admin.visitor, `/home/users/${person.id}`, {
      params: { id: String(person.id) },
    });
    expect(page.html).toContain("Erased");
    for (const label of ["Company registration number", "Company address", "Telephone"])
      expect(shownTexts(page.html, "dt")).not.toContain(label);
    expect(await refusalOf(await administer(people.admin.visitor, person, { intent: "enable" }))).toBe(
      "The data of this account was erased.",
    );
    await expect(erase(person)).rejects.toThrow("The data of this account was erased.");
  });

  test("replaces the person in the reasons that staff typed, before and now, and leaves other words alone", async () => {
    const person = await createPerson({ firstName: "Rose" });
    const typed = `Mrs ${person.lastName} called: Rose (${person.email}, ${person.telephoneNumber}) asks for it by letter`;
    await confirmed(people.admin.visitor, person, { intent: "disable", reason: typed });
    await record({
      event: "account.right-granted",
      message: "Rose Valley has nothing to do with it.",
      userId: person.id,
    });
    expect((await confirmed(people.admin.visitor, person, { intent: "erase", reason: typed })).status).toBe(303);
    const name = `Erased person ${person.id}`;
    const left = `Mrs ${name} called: ${name} (${name}, ${name}) asks for it by letter`;
    const texts = (await auditAbout(person)).map(({ message }) => message);
    expect(texts).toContain(`Disabled the account: ${left}`);
    expect(texts).toContain("Rose Valley has nothing to do with it.");
    expect(texts.at(-1)).toContain(`which is now '${name}': ${left}. Entries`);
    const others = await placesOf([person.lastName, person.telephoneNumber]);
    expect(others.filter((place) => place !== "mails.recipient")).toEqual([]);
    expect((await verified()).problems).toEqual([]);
  });

  test("covers former addresses, but not one that somebody else has now", async () => {
    const person = await createPerson();
    const [former, taken] = ["former@zwoelfender.example", "edi@zwoelfender.example"];
    for (const email of [former, taken, person.email]) await updateUser(getDb(), person.id, { email });
    for (const name of [former, taken]) await record({ actor: { id: person.id, name }, message: `Wrote as ${name}.` });
    const other = await createUser({ email: taken });
    await record({ actor: { id: other.id, name: taken }, message: `Wrote as ${taken}, too.`, userId: null });
    await record({ actor: { id: other.id, name: taken }, message: `Answered ${former}.`, userId: null });
    await erase(person);
    expect(await placesOf([former])).toEqual([]);
    const entries = await getDb()
      .selectFrom("auditEntries")
      .select(["actorName", "message"])
      .where("event", "=", "test.happened")
      .execute();
    const pseudonym = `Erased person ${person.id}`;
    expect(entries.slice(-4)).toEqual([
      { actorName: pseudonym, message: `Wrote as ${pseudonym}.` },
      { actorName: pseudonym, message: `Wrote as ${pseudonym}.` },
      { actorName: taken, message: `Wrote as ${taken}, too.` },
      { actorName: taken, message: `Answered ${pseudonym}.` },
    ]);
    expect((await verified()).problems).toEqual([]);
  });

  test("covers the accounts that were merged into it, whose address was confirmed with the merge", async () => {
    const person = await createPerson();
    const former = await createPerson({ isDisabled: true, emailVerifiedAt: null });
    await record({ message: `Asked ${former.email} for the papers.`, userId: null });
    await getDb().updateTable("users").set({ mergedInto: person.id }).where("id", "=", former.id).execute();
    await expect(erase(former)).rejects.toThrow("merged into another one");
    await erase(person);
    expect(await placesOf(textsOf(former))).toEqual([]);
  });

  test("lets an account disabled before be erased; nobody can log in or reset the password of what is left", async () => {
    const person = await createPerson();
    await confirmed(people.admin.visitor, person, { intent: "disable", reason: "left" });
    await erase(person);
    const left = await storedUser(person);
    for (const email of [person.email, left.email])
      await expect(logInWith({ email }, from("192.0.2.5"))).rejects.toThrow("Not logged in");
    for (const email of [person.email, left.email])
      await run(forgot.action, await (await anonymous()).post("/forgot-password", { email }));
    expect(await getDb().selectFrom("tokens").select("id").where("userId", "=", person.id).execute()).toEqual([]);
    expect((await mailsTo(person.email)).map(({ dedupeKey }) => dedupeKey)).toEqual([`data-erased:${person.id}`]);
  });

  test("lets the person register again with the same address, as a new account that sees nothing of the former one", async () => {
    const person = await createPerson();
    await createCertificateOrder(person, undefined, { status: "Rejected" });
    await getDb().updateTable("orders").set({ status: "Cancelled" }).execute();
    await erase(person);
    const stranger = await anonymous();
    const sent = await run(
      register.action,
      await stranger.post("/register", filledRegistration({ email: person.email, confirmEmail: person.email })),
    );
    expect(sent.status).toBe(303);
    const again = await getDb()
      .selectFrom("users")
      .selectAll()
      .where("email", "=", person.email)
      .executeTakeFirstOrThrow();
    expect(again.id).not.toBe(person.id);
    expect(again.companyId).not.toBe(person.companyId);
    expect((await verified()).problems).toEqual([]);
  });

  test("ends invitations by and to the person", async () => {
    const [person, owner] = [await createPerson(), await createPerson()];
    await invite(owner, person.email);
    await invite(person, "colleague@zwoelfender.example");
    await erase(person);
    const rows = await getDb()
      .selectFrom("invitations")
      .selectAll()
      .where("invitedBy", "in", [owner.id, person.id])
      .execute();
    expect(rows.map(({ endedAt }) => endedAt !== null)).toEqual([true, true]);
    expect(rows.map(({ email }) => email)).toContain(`erased-person-${person.id}@erased.invalid`);
    for (const { tokenHash, ...row } of rows) {
      expect(await findInvitation(getDb(), tokenHash, new Date())).toBeNull();
      expect(
        await getDb()
          .transaction()
          .execute((trx) => endInvitation(trx, row, new Date())),
      ).toBeNull();
    }
  });
});

describe("orders and companies after an erasure", () => {
  const placed = async (user: Awaited<ReturnType<typeof createPerson>>, status: "Cancelled" | "Paid") => {
    const { orderId } = await createCertificateOrder(user, undefined, { status: "Rejected" });
    const invoiceAddress = JSON.stringify({
      name: user.lastName,
      email: user.email,
      phoneNumber: "1",
      city: "Coventry",
    });
    await getDb().updateTable("orders").set({ status, invoiceAddress }).where("id", "=", orderId).execute();
    return orderId;
  };

  test("keep the invoice address that law asks for without its email, and lose that of a cancelled order without an invoice", async () => {
    const person = await createPerson();
    const [cancelled, paid] = [await placed(person, "Cancelled"), await placed(person, "Paid")];
    await erase(person);
    const addressOf = async (id: number) =>
      (await getDb().selectFrom("orders").select("invoiceAddress").where("id", "=", id).executeTakeFirstOrThrow())
        .invoiceAddress;
    expect(JSON.parse(await addressOf(cancelled))).toEqual({
      name: `Erased person ${person.id}`,
      email: `erased-person-${person.id}@erased.invalid`,
      phoneNumber: "",
      city: "Coventry",
    });
    expect(JSON.parse(await addressOf(paid))).toEqual({
      name: person.lastName,
      email: `erased-person-${person.id}@erased.invalid`,
      phoneNumber: "1",
      city: "Coventry",
    });
  });

  test("a company that ordered something keeps its name, unless that is the person's; one without orders loses everything", async () => {
    const [one, two, three] = [await createPerson(), await createPerson(), await createPerson()];
    const company = ({ companyId }: { companyId: number }) =>
      getDb().selectFrom("companies").selectAll().where("id", "=", companyId).executeTakeFirstOrThrow();
    await placed(one, "Cancelled");
    await placed(two, "Cancelled");
    const own = `${two.firstName} ${two.lastName}`;
    await getDb().updateTable("companies").set({ name: own }).where("id", "=", two.companyId).execute();
    for (const person of [one, two, three]) await erase(person);
    expect(await company(one)).toMatchObject({ name: one.company });
    expect(await company(two)).toMatchObject({ name: `Erased person ${two.id}` });
    expect(await company(three)).toMatchObject({
      name: `Erased person ${three.id}`,
      vatNumber: null,
      companyAddressId: null,
    });
  });
});

describe("a form of staff that the portal keeps until they have confirmed who they are", () => {
  test("[USR-07] does not survive the erasure of the person whose page it is from, unlike those of other pages", async () => {
    const [person, other] = [await createPerson(), await createPerson()];
    const clerk = await createStaff(["user-administrator"]);
    const visitor = await signedInAs(clerk);
    await storeProof(clerk, "password", 11);
    for (const one of [person, other]) {
      const reason = `${person.firstName} ${person.lastName} asked by mail`;
      const answer = await administer(visitor, one, { intent: "erase", reason });
      expect(answer.headers.get("Location")).toMatch(/^\/second-factors\/confirm/);
    }
    const kept = () => getDb().selectFrom("drafts").select("data").where("userId", "=", clerk.id).execute();
    expect((await kept()).map(({ data }) => data.includes(person.lastName))).toEqual([true, true]);
    await erase(person);
    expect((await kept()).map(({ data }) => (JSON.parse(data) as { page: string }).page)).toEqual([
      `/home/users/${other.id}`,
    ]);
  });
});

describe("the erasure by the command line", () => {
  test("has the same rules, and names the operator in the audit trail", async () => {
    const person = await createPerson();
    const { id } = await createCertificateOrder(person);
    const erasing = ["users", "erase", person.email, "--operator", "Olga", "--reason", "asked by letter"];
    const unanswered = await runCommand(erasing, portal.env);
    expect([unanswered.code, unanswered.err]).toEqual([1, expect.stringContaining("are erased for good.")]);
    erasing.push("--yes");
    const refusedThen = await runCommand(erasing, portal.env);
    expect([refusedThen.code, refusedThen.err]).toEqual([1, expect.stringContaining("pending order of a certificate")]);
    await setCertificate(id, { status: "Expired" });
    await getDb().updateTable("orders").set({ status: "Cancelled" }).where("userId", "=", person.id).execute();
    const done = await runCommand(erasing, portal.env);
    expect(done).toEqual({ code: 0, out: `Erased the personal data of ${person.email}\n`, err: "" });
    expect((await auditAbout(person)).at(-1)).toMatchObject({
      actorName: "command line (Olga)",
      event: "account.erased",
    });
  });
});
