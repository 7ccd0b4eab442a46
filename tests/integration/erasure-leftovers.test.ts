import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { completeErasures } from "~/domain/accounts/personal-data/erasure.service.server";
import { removeMember } from "~/domain/companies/members.service.server";
import { addCompanyNote } from "~/domain/companies/staff/company-notes.service.server";
import { fromNetwork, LIMITS_BY_NAME } from "~/domain/limits/tries.server";
import { deliverDueMail } from "~/domain/mail/delivery.service.server";
import { recordSecurityEvent } from "~/domain/security-events/security-events.service.server";
import { DAY } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { getDb } from "~db/connection.server";
import { insertCompanies, updateCompany } from "~db/repositories/companies.server";
import { updateUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { record, verified } from "../support/audit";
import { createCertificateOrder } from "../support/certificates";
import { createCode, createCodeOrder } from "../support/codes";
import { createColleague, invite, personOf } from "../support/companies";
import { erase, placesOf } from "../support/erasure";
import { createAdmin, createUser } from "../support/factories";
import { queueAnyMail } from "../support/mails";
import { usePortal } from "../support/portal";
import { signedInAs } from "../support/visitor";

usePortal();

const XENIA = {
  firstName: "Xanthippe",
  lastName: "O'Quäyle-Öðlingur",
  email: "x_quayle+portal@quayle-odd.example",
  username: "Quayle_%XQ",
  telephoneNumber: "+354 555 0177",
};
const FORMER = { lastName: "Vandergriffin", email: "x.vandergriffin@quayle-odd.example" };
const [ADDRESS, BROWSER, STREET] = ["203.0.113.177", "QuayleBrowser/7", "77 Quillwort Lane"];
const NAME = `${XENIA.firstName} ${XENIA.lastName}`;
const TEXTS = [...Object.values(XENIA), ...Object.values(FORMER), ADDRESS, BROWSER, STREET];
const ANNA = { email: "anna@quayle-odd.example", username: "QuaylesXQ" }; // has another name that a pattern could take for hers

const XENIA_AS_CONTACT = { firstName: XENIA.firstName, lastName: XENIA.lastName, email: XENIA.email };

type Person = Awaited<ReturnType<typeof createUser>>;

const OTHERS_COUNT = `login-account:${ANNA.email}|192.0.2.0/24`;

const contact = (email = XENIA.email) =>
  JSON.stringify({
    name: NAME,
    company: "Odd Parts",
    position: "Buyer",
    email,
    addressLine1: "1 Mill Lane",
    addressLine2: "",
    city: "Coventry",
    postalCode: "CV1 1AA",
    countryId: 826,
    country: "United Kingdom",
    phoneNumber: XENIA.telephoneNumber,
  });

const client = { address: ADDRESS, userAgent: BROWSER };
const later = () => new Date(Date.now() + 100 * DAY);

/** Fills what the person alone has: a company of the person's name with an address and a cancelled order, a draft, limits and settings. */
async function fillOwn(person: Person): Promise<void> {
  const db = getDb();
  await signedInAs(person);
  const now = new Date();
  const own = { userId: person.id, createdAt: now, updatedAt: now, expiresAt: later() };
  await db
    .insertInto("drafts")
    .values({ id: "own", kind: "certificate-purchase", data: contact(), ...own })
    .execute();
  await db.insertInto("settings").values({ name: "x", userId: person.id, value: NAME, updatedAt: now }).execute();
  await db.updateTable("sessions").set(client).where("userId", "=", person.id).execute();
  await db.insertInto("rateLimits").values({ key: OTHERS_COUNT, points: 1, expire: Date.now() }).execute();
  for (const limit of LIMITS_BY_NAME)
    for (const name of [person.email, person.username])
      await db
        .insertInto("rateLimits")
        .values({ key: `${limit}:${fromNetwork(name, "192.0.2.0/24")}`.toLowerCase(), points: 1, expire: Date.now() })
        .execute();
}

/** Stores a former account of the person with a company of the person's name, which has ordered nothing. */
async function createMerged(person: Person): Promise<void> {
  const given = { ...XENIA, username: "quayle.2", email: "second@quayle-odd.example", company: NAME, isDisabled: true };
  const former = await createUser(given);
  await getDb().updateTable("users").set({ mergedInto: person.id }).where("id", "=", former.id).execute();
  await getDb().updateTable("addresses").set({ addressLine1: STREET }).where("userId", "=", former.id).execute();
}

/** Stores a company of the person's name that ended when the person joined another one. */
async function createEnded(): Promise<void> {
  const now = new Date();
  const [id = 0] = await insertCompanies(getDb(), [{ name: NAME, createdAt: now, updatedAt: now }]);
  await updateCompany(getDb(), id, { name: `${NAME} Ltd` }, now);
  await updateCompany(getDb(), id, { name: NAME }, now); // notes what it was called before
}

/** Fills what others have of the person. */
async function fillOthers(person: Person, { owner, olga }: { owner: Person; olga: Person }): Promise<void> {
  const db = getDb();
  const now = new Date();
  await invite(owner, person.email);
  await invite(owner, FORMER.email, "reader");
  const named = { authenticationContact: contact(), authenticationEmail: person.email, contactAnswerBy: person.email };
  await createCertificateOrder(owner, undefined, { ...named, status: "Rejected", contactNote: `Asked ${NAME}` });
  await createCertificateOrder(owner, undefined, { ...named, status: "Issued", expiryDate: later().toISOString() });
  await db
    .insertInto("drafts")
    .values({
      id: "others",
      kind: "certificate-purchase",
      data: contact(),
      userId: owner.id,
      createdAt: now,
      updatedAt: now,
      expiresAt: later(),
    })
    .execute();
  await db.insertInto("contactStops").values({ email: person.email, stoppedAt: now }).execute();
  await db
    .insertInto("userRights")
    .values({ userId: olga.id, right: "auditor", grantedBy: person.username, grantedAt: now })
    .execute();
  await queueAnyMail(`contact-stopped:${owner.id}:${person.email}:1`, owner.email, {
    subject: `The staff account ${person.username} is locked`,
    text: "",
    html: "",
  });
  const detail = `Asked about ${person.email}, not about ${ANNA.username}.`;
  await inTransaction((trx) =>
    recordSecurityEvent(trx, { event: "login.failed", userId: owner.id, client, detail: "" }),
  );
  await db.updateTable("securityEvents").set({ address: null, network: null, userAgent: null, detail }).execute();
  await inTransaction((trx) =>
    recordSecurityEvent(trx, { event: "login.failed", actorName: person.username.toUpperCase(), client, detail }),
  );
}

describe("what is left of an erased person", () => {
  let owner: Person;
  let others: string[];

  beforeAll(async () => {
    owner = await createUser({ company: "Odd Parts", email: "owner@odd-parts.example" });
    const olga = await createAdmin();
    await createUser({ ...ANNA });
    const was = { ...XENIA, ...FORMER, company: "Own Things" };
    const person = await createColleague(owner, "purchaser", was);
    await record({
      actor: { id: person.id, name: FORMER.email, client },
      message: `Began as ${XENIA.firstName} ${FORMER.lastName}.`,
      userId: person.id,
    });
    await updateUser(getDb(), person.id, { lastName: XENIA.lastName, email: XENIA.email });
    const now = { ...person, ...XENIA };
    for (const status of ["Cancelled", "Paid"] as const)
      await createCodeOrder(now, "Basic", 1, { status, invoiceAddress: contact() });
    await createCodeOrder(owner, "Basic", 1, { status: "Cancelled", invoiceAddress: contact(ANNA.email) });
    await createCodeOrder(owner, "Basic", 1, {
      status: "Cancelled",
      invoiceAddress: contact("xaquayle+portal@quayle-odd.example").replaceAll(NAME, "Anna"),
    });
    const code = await createCode(now);
    await getDb()
      .insertInto("codeContacts")
      .values({ codeId: code.id, contactType: "IT", ...XENIA_AS_CONTACT })
      .execute();
    await removeMember(await personOf(owner), person.id);
    const alone = await personOf(person);
    await updateCompany(getDb(), alone.companyId, { name: NAME }, new Date());
    await addCompanyNote(await personOf(olga), alone.companyId, { text: `Called ${NAME} back`, seen: null });
    await createCodeOrder({ ...now, company: NAME }, "Basic", 1, { status: "Cancelled" });
    await createMerged(person);
    await createEnded();
    await fillOwn(now);
    await fillOthers(now, { owner, olga });
    await deliverDueMail();
    expect(await placesOf(TEXTS)).toContain("companies.name");
    expect(outbox()).toContain(XENIA.email);
    await erase(person);
    await deliverDueMail(new Date(Date.now() + 60_000));
    await completeErasures();
    others = await placesOf(TEXTS);
  });

  /** The whole outbox as text. */
  const outbox = (): string => {
    const folder = join(getEnv().dataDir, "outbox");
    const files = existsSync(folder) ? readdirSync(folder) : [];
    return files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
  };

  test("is in no column of any table but those that docs/privacy.md lists", () => {
    const document = readFileSync("docs/privacy.md", "utf8").split("## What an erasure leaves")[1] ?? "";
    const listed = [...document.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, place]) => place);
    expect(others.filter((place) => !listed.includes(place))).toEqual([]);
  });

  test("has lost the counts of tries with the names of the person, but not those of somebody else", async () => {
    const rows = await getDb().selectFrom("rateLimits").select("key").execute();
    expect(rows.map(({ key }) => key)).toEqual([OTHERS_COUNT]);
  });

  test("does not touch somebody whose address the same pattern finds", async () => {
    const rows = await getDb().selectFrom("orders").select("invoiceAddress").where("userId", "=", owner.id).execute();
    expect(rows.map(({ invoiceAddress }) => (JSON.parse(invoiceAddress) as { name?: string }).name)).toContain("Anna");
    const details = await getDb().selectFrom("securityEvents").select("detail").execute();
    expect(details.some(({ detail }) => detail.endsWith(`not about ${ANNA.username}.`))).toBe(true);
  });

  test("leaves a sound audit trail, and no message in the outbox but the last", async () => {
    expect((await verified()).problems).toEqual([]);
    const sent = outbox();
    expect(sent).not.toContain("Invitation to");
    expect(sent.match(/^To: .*quayle-odd/gm)).toHaveLength(1);
    expect(sent).toContain("Your data has been erased");
  });
});

describe("the last message to an erased person", () => {
  const erased = async () => {
    const person = await createUser();
    await erase(person);
    return person;
  };
  const recipientOf = async ({ id }: Person) =>
    (
      await getDb()
        .selectFrom("mails")
        .selectAll()
        .where("dedupeKey", "=", `data-erased:${id}`)
        .executeTakeFirstOrThrow()
    ).recipient;

  test("loses its recipient as soon as it is sent", async () => {
    const person = await erased();
    expect(await recipientOf(person)).toBe(person.email);
    await deliverDueMail();
    expect(await recipientOf(person)).toBe("erased.invalid");
  });

  test("is given up when the mail server refuses it, or after 7 days", async () => {
    const [refused, waiting] = [await erased(), await erased()];
    const keys = getDb().updateTable("mails").where("dedupeKey", "=", `data-erased:${refused.id}`);
    await keys.set({ rejectedAt: new Date(), lastError: `550 ${refused.email}` }).execute();
    await completeErasures();
    expect([await recipientOf(refused), await recipientOf(waiting)]).toEqual(["erased.invalid", waiting.email]);
    await completeErasures(new Date(Date.now() + 8 * DAY));
    expect(await placesOf([refused.email, waiting.email])).toEqual([]);
  });
});
