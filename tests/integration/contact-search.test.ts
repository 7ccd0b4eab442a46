import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { completeErasures } from "~/domain/accounts/personal-data/erasure.service.server";
import { PART_FIELDS } from "~/domain/orders/corrections/correction-fields";
import { correctionPath } from "~/lib/correction-path";
import * as queuePage from "~/routes/home.certificate-queue._index";
import * as reissuePage from "~/routes/home.certificate.reissue.$id/route";
import * as certificatesPage from "~/routes/home.certificates";
import * as contactPage from "~/routes/home.orders.$id_.contact";
import * as correctPage from "~/routes/home.orders.$id_.correct/route";
import * as searchPage from "~/routes/home.search";
import { getConnection, getDb } from "~db/connection.server";
import { migrateToLatest } from "~db/migrate.server";
import { apiClientOf } from "../support/api";
import { createCertificateOrder, issueCertificate } from "../support/certificates";
import { createColleague } from "../support/companies";
import { createPerson, erase } from "../support/erasure";
import { createAdmin, createStaff, createUser, TEST_PASSWORD } from "../support/factories";
import { fillCertificates } from "../support/many-certificates";
import { useOpenssl } from "../support/openssl";
import { textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { jsonOf, run, signedInAs, type Visitor } from "../support/visitor";
import { buyerAtInvoice, certificateOf, CONTACT, onlyOrder } from "./purchase-journey";
import { newRenewer } from "./renewal-journey";

usePortal();
const { makeCsr } = useOpenssl();

let staff: Visitor;
let number = 0;

beforeAll(async () => {
  staff = await signedInAs(await createAdmin());
});

/** Returns a person who is the contact of nothing else, with the words by which people search. */
function newContact() {
  number += 1;
  const [name, email] = [`Łucja Müßig${number}x`, `lucja.${number}x@example-parts.com`];
  return { typed: { ...CONTACT, name, email }, words: `lucja mussig${number}x`, email };
}

const idsIn = async (answer: Response) =>
  (await jsonOf<{ rows: { id: number }[] }>(answer)).rows.map(({ id }) => id).toSorted((one, other) => one - other);

/** Returns the certificates that the list of this visitor finds. */
const found = async (search: string, who = staff) =>
  idsIn(await run(certificatesPage.loader, who.get(`/home/certificates?${new URLSearchParams({ search })}`)));

const inQueue = async (search: string) =>
  idsIn(await run(queuePage.loader, staff.get(`/home/certificate-queue?${new URLSearchParams({ search })}`)));

/** Returns the headings of what the search in the header finds. */
async function headings(q: string, who = staff) {
  const { html } = await openPage(searchPage, who, `/home/search?${new URLSearchParams({ q })}`);
  return textsOf(html, ".hits-card h2").map((heading) => heading.replace(/ \d+\+?$/, ""));
}

/** Places an order with this contact. */
async function ordered(contact: ReturnType<typeof newContact>) {
  const buyer = await buyerAtInvoice(makeCsr().pem, {}, { company: "Plain Parts Ltd" });
  await buyer.contact(contact.typed);
  expect((await buyer.invoice()).status).toBe(303);
  const { id: orderId } = await onlyOrder(buyer);
  return { ...buyer, visitor: buyer.visitor, orderId, certificate: await certificateOf(orderId) };
}

/** Returns the columns of an order that names this contact. */
const named = ({ typed: { country: _, ...contact } }: ReturnType<typeof newContact>) => ({
  authenticationContact: JSON.stringify({ ...contact, countryId: 826, country: "United Kingdom" }),
  authenticationEmail: contact.email,
});

const issuedWith = async (contact: ReturnType<typeof newContact>) => {
  const customer = await createUser();
  const given = { customer, csr: makeCsr().der, order: named(contact) };
  return { customer, certificate: await issueCertificate(given) };
};

/** Reissues a certificate with another key. Returns the id of the new one. */
async function reissued(id: number): Promise<number> {
  const fields = { reason: "Key lost", csr: makeCsr().pem, confirmed: "yes" };
  const answer = await run(reissuePage.action, await staff.post(`/home/certificate/reissue/${id}`, fields), {
    id: String(id),
  });
  return Number(/(\d+)$/.exec(answer.headers.get("Location") ?? "")?.[1]);
}

describe("[CER-02] a certificate is found by its authentication contact", () => {
  test("[SRC-03] the header's search says who the contact is when that is what was found, also for a name from a message", async () => {
    const contact = newContact();
    const { certificate } = await ordered(contact);
    const details = async (q: string) => {
      const { html } = await openPage(searchPage, staff, `/home/search?${new URLSearchParams({ q })}`);
      return textsOf(html, `li:has(a[href="/home/certificate-details/${certificate.id}"]) > span`).join();
    };
    const shown = `contact ${contact.typed.name}, ${contact.email}`;
    expect(await details(contact.words)).toContain(shown);
    expect(await details(`"${contact.words}",`)).toContain(shown);
    expect(await details(`(${contact.email})`)).toContain(shown);
    expect(await details(certificate.commonName)).not.toContain("contact");
  });

  test("as soon as it is ordered: by name and by email address, in the list, the queue and the header", async () => {
    const contact = newContact();
    const { certificate, visitor } = await ordered(contact);
    for (const search of [contact.words, contact.typed.name, contact.email, contact.email.slice(2, 12)])
      expect([search, await found(search)]).toEqual([search, [certificate.id]]);
    expect(await inQueue(contact.words)).toEqual([certificate.id]);
    expect(await headings(contact.words)).toEqual(["Certificates"]);
    expect(await headings(contact.email)).toEqual(["Certificates"]);
    expect(await found(contact.words, visitor)).toEqual([certificate.id]);
    expect(await headings(contact.email, visitor)).toEqual(["Certificates"]);
  });

  test("with other words, and by its serial number, once it is issued", async () => {
    const contact = newContact();
    const { certificate } = await issuedWith(contact);
    expect(await found(contact.words)).toEqual([certificate.id]);
    expect(await found(`${contact.email} ${certificate.serialNumber}`)).toEqual([certificate.id]);
    expect(await found(`${contact.email} pending`)).toEqual([]);
  });

  test("by programs of staff, and not by staff who do not see certificates", async () => {
    const contact = newContact();
    const { certificate } = await issuedWith(contact);
    const admin = await createAdmin();
    const path = `Search/SearchEverything?${new URLSearchParams({ words: contact.email })}`;
    const client = await apiClientOf(admin.email, TEST_PASSWORD);
    const { content } = await client.get<{ results: { id: number }[] }[]>(path);
    expect(content.flatMap(({ results }) => results.map(({ id }) => id))).toEqual([certificate.id]);
    expect(await headings(contact.email, await signedInAs(await createStaff(["user-administrator"])))).toEqual([]);
  });

  test("by the members of its company, and by nobody of another one", async () => {
    const contact = newContact();
    const { customer, certificate } = await issuedWith(contact);
    const reader = await signedInAs(await createColleague(customer, "reader"));
    const other = await signedInAs(await createUser());
    expect(await found(contact.email, reader)).toEqual([certificate.id]);
    for (const search of [contact.email, contact.words]) {
      expect(await found(search, other)).toEqual([]);
      expect(await headings(search, other)).toEqual([]);
    }
  });
});

describe("[PUR-02] another contact", () => {
  test("replaces the former one in the search", async () => {
    const [former, present] = [newContact(), newContact()];
    const { orderId, visitor, certificate } = await ordered(former);
    const path = `/home/orders/${orderId}/contact`;
    const answer = await run(contactPage.action, await visitor.post(path, present.typed), { id: String(orderId) });
    expect(answer.status).toBe(303);
    for (const search of [former.words, former.email]) expect(await found(search)).toEqual([]);
    for (const search of [present.words, present.email]) expect(await found(search)).toEqual([certificate.id]);
  });

  test("[SAL-07] whose name is corrected is found by the corrected one", async () => {
    const [former, present] = [newContact(), newContact()];
    const { customer, certificate } = await issuedWith(former);
    const visitor = await signedInAs(customer);
    const path = correctionPath(certificate.orderId, "contact");
    const params = { id: String(certificate.orderId) };
    const page = await run(correctPage.loader, visitor.get(path), params);
    const { form } = await jsonOf<{ form: { values: Record<string, string>; seen: string } }>(page);
    const fields = Object.fromEntries(PART_FIELDS.contact.map((name) => [name, form.values[name] ?? ""]));
    const sent = { ...fields, seen: form.seen, name: present.typed.name, confirmed: "yes" };
    expect((await run(correctPage.action, await visitor.post(path, sent), params)).status).toBe(303);
    expect(await found(former.words)).toEqual([]);
    expect(await found(present.words)).toEqual([certificate.id]);
    expect(await found(former.email)).toEqual([certificate.id]);
  });
});

describe("[MAN-03] what follows a certificate", () => {
  test("by a reissue is found by the same contact", async () => {
    const contact = newContact();
    const { certificate } = await issuedWith(contact);
    expect(await found(contact.words)).toEqual([certificate.id]);
    const id = await reissued(certificate.id);
    for (const search of [contact.words, contact.email]) expect(await found(search)).toEqual([certificate.id, id]);
  });

  test("by a renewal is found by the contact that the renewal names", async () => {
    const [former, present] = [newContact(), newContact()];
    const { renewer, original } = await newRenewer(makeCsr().der, named(former));
    await renewer.upToInvoice(makeCsr().pem);
    await renewer.contact(present.typed);
    expect((await renewer.invoice()).status).toBe(303);
    expect(await found(former.words)).toEqual([original.id]);
    expect(await found(`${present.words} renewal`)).toHaveLength(1);
  });
});

const isSqlite = () => getConnection().dialect === "sqlite";

/** Returns the blocks of the index of SQLite in which the name of the erased person is. */
async function blocks(): Promise<Buffer[]> {
  const { rows } = await sql<{ block: Buffer }>`select block from certificate_contacts_trigrams_data`.execute(getDb());
  return rows.map(({ block }) => block).filter((block) => ["zyx", "yxw", "xwv"].some((part) => block.includes(part)));
}

describe("[USR-07] an erased contact", () => {
  test("is not found any more, also where the certificate is in force and keeps the contact as evidence", async () => {
    const person = await createPerson({ lastName: "Zyxwvütsrq" });
    const typed = { ...CONTACT, name: "Ludmilla Zyxwvütsrq", email: person.email };
    const contact = { typed, words: "ludmilla zyxwvutsrq", email: person.email };
    const { certificate } = await issuedWith(contact);
    const ended = await createCertificateOrder(await createUser(), undefined, {
      ...named(contact),
      status: "Rejected",
    });
    expect(await found(contact.words)).toEqual([certificate.id, ended.id]);
    if (isSqlite()) expect((await blocks()).length).toBeGreaterThan(0);

    await erase(person);
    await completeErasures();
    const next = await reissued(certificate.id);
    for (const search of [contact.words, contact.email]) {
      expect([search, await found(search)]).toEqual([search, []]);
      expect(await headings(search)).toEqual([]);
    }
    expect(await found(`erased-person-${person.id}@`)).toEqual([certificate.id, ended.id, next]);
    if (isSqlite()) expect(await blocks()).toEqual([]);
  });
});

/** Makes the database one of the former version, which had no texts of contacts. */
async function undoMigration(): Promise<void> {
  const statements = isSqlite()
    ? [
        ...["insert", "delete", "update"].map((change) => `drop trigger certificate_contacts_trigrams_${change}`),
        "drop table certificate_contacts_trigrams",
      ]
    : [];
  for (const statement of [
    ...statements,
    "alter table certificates drop column contact_search_text",
    "delete from kysely_migration where name = '0054-certificate-contacts'",
  ])
    await sql.raw(statement).execute(getDb().withoutPlugins());
}

test("[CER-02] certificates of a former version are found by their contacts, but not by erased ones", async () => {
  const [contact, erased] = [newContact(), newContact()];
  const { certificate } = await issuedWith(contact);
  const kept = await issuedWith(erased);
  await getDb()
    .insertInto("erasedContacts")
    .values({ certificateId: kept.certificate.id, contact: "authentication", userId: kept.customer.id })
    .execute();
  await fillCertificates(1001, { isRevoked: false });
  const last = await issuedWith(contact);
  await undoMigration();
  expect(await migrateToLatest(getConnection())).toEqual(["0054-certificate-contacts"]);
  expect(await found(contact.words)).toEqual([certificate.id, last.certificate.id]);
  expect(await found(contact.email)).toEqual([certificate.id, last.certificate.id]);
  for (const search of [erased.words, erased.email]) expect(await found(search)).toEqual([]);
});
