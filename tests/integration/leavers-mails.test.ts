import { describe, expect, test } from "vitest";
import { sendExpiryReminders } from "~/domain/certificates/catalogue/reminder.service.server";
import { addDays } from "~/lib/dates";
import { paths } from "~/lib/paths";
import { serverPaths } from "~/lib/server-paths.server";
import * as stopPage from "~/routes/_public.no-more-messages.$token";
import * as memberPage from "~/routes/home.company_.$id";
import { getDb } from "~db/connection.server";
import { useForgedCsrs } from "../ca/csr-forging";
import { prime, rsaKeyOf } from "../ca/weak-keys";
import { createCertificateOrder, invoiceMailsOf, mailsOf } from "../support/certificates";
import { createColleague } from "../support/companies";
import { erase } from "../support/erasure";
import { createUser } from "../support/factories";
import { createInvoiceableOrder, invoicesOf } from "../support/invoices";
import { textOf } from "../support/outbox";
import { usePortal } from "../support/portal";
import { mailsTo } from "../support/recovery";
import { newEmail } from "../support/user-details";
import { anonymous, run, signedInAs } from "../support/visitor";
import { useInvoicing } from "./invoicing";
import { Buyer, newBuyer, onlyOrder, startPurchase } from "./purchase-journey";

usePortal();
const { file, makeCsr } = useForgedCsrs();
const { act, credit } = useInvoicing();

async function company() {
  const owner = await createUser();
  const purchaser = await createColleague(owner, "purchaser", { firstName: "Petra", lastName: "Parted" });
  return { owner, purchaser };
}

async function remove(owner: Awaited<ReturnType<typeof createUser>>, { id }: { id: number }) {
  const visitor = await signedInAs(owner);
  const fields = { intent: "remove", confirmed: "yes" };
  const answer = await run(memberPage.action, await visitor.post(paths.companyMember(id), fields), { id: String(id) });
  expect(answer.status).toBe(303);
}

const recipientsOf = async (orderId: number, kind: string) =>
  (await mailsOf(orderId)).filter(({ dedupeKey }) => dedupeKey.startsWith(`${kind}:`)).map((mail) => mail.recipient);

/** Issues and credits the invoice of an order. Returns to whom both were sent. */
async function invoiceRecipients(orderId: number): Promise<string[]> {
  await act(orderId, { intent: "issue" });
  await credit(orderId, "Ordered twice");
  expect(await invoicesOf(orderId)).toHaveLength(2);
  return (await invoiceMailsOf(orderId)).map(({ recipient }) => recipient).sort();
}

describe("[SAL-04] the invoice and the credit note of an order whose invoice address is", () => {
  test("that of the person who placed it go to an owner alone when the person has left", async () => {
    const { owner, purchaser } = await company();
    const orderId = await createInvoiceableOrder(purchaser, { invoiceAddress: { email: purchaser.email } });
    await remove(owner, purchaser);
    expect(await invoiceRecipients(orderId)).toEqual([owner.email, owner.email]);
  });

  test("that of another member who has left go to the person who placed it alone", async () => {
    const { owner, purchaser } = await company();
    const orderId = await createInvoiceableOrder(owner, { invoiceAddress: { email: purchaser.email.toUpperCase() } });
    await remove(owner, purchaser);
    expect(await invoiceRecipients(orderId)).toEqual([owner.email, owner.email]);
  });

  test("that of the person who placed it go to an owner alone when the account is disabled", async () => {
    const { owner, purchaser } = await company();
    const orderId = await createInvoiceableOrder(purchaser, { invoiceAddress: { email: purchaser.email } });
    await getDb().updateTable("users").set({ isDisabled: true }).where("id", "=", purchaser.id).execute();
    expect(await invoiceRecipients(orderId)).toEqual([owner.email, owner.email]);
  });

  test("that of the person who placed it go to an owner alone when the person was erased", async () => {
    const { owner, purchaser } = await company();
    const orderId = await createInvoiceableOrder(purchaser, { invoiceAddress: { email: purchaser.email } });
    await erase(purchaser);
    expect(await invoiceRecipients(orderId)).toEqual([owner.email, owner.email]);
    const [invoice] = await invoicesOf(orderId);
    expect(invoice?.content.buyer.name).toBe("Anna Müller");
  });

  test("a bookkeeper's, who has an account but never belonged to the company, go there too", async () => {
    const { owner, purchaser } = await company();
    const bookkeeper = await createUser({ company: "Bookkeepers Ltd" });
    const orderId = await createInvoiceableOrder(purchaser, { invoiceAddress: { email: bookkeeper.email } });
    await remove(owner, purchaser);
    const both = [owner.email, bookkeeper.email];
    expect(await invoiceRecipients(orderId)).toEqual([...both, ...both].sort());
  });
});

test("[MAI-02] a reminder goes to the owner, and not to an authentication contact who has left", async () => {
  const { owner, purchaser } = await company();
  const expiryDate = new Date("2027-06-30T12:00:00Z");
  const stays = newEmail();
  const orders = [];
  for (const email of [purchaser.email, stays]) {
    const contact = JSON.stringify({ name: "Somebody", email });
    const given = { status: "Issued", serialNumber: null, expiryDate, authenticationContact: contact } as const;
    orders.push(await createCertificateOrder(owner, undefined, given));
  }
  await remove(owner, purchaser);
  await sendExpiryReminders(addDays(expiryDate, -7));
  const told = await Promise.all(orders.map(({ orderId }) => recipientsOf(orderId, "expiry-reminder")));
  expect(told).toEqual([[owner.email], [owner.email, stays]]);
});

test("[PUR-02] that a contact wants no messages is told to an owner when the person who ordered has left", async () => {
  const { owner, purchaser } = await company();
  const visitor = await signedInAs(purchaser);
  const buyer = new Buyer(purchaser, visitor, await startPurchase(visitor));
  await buyer.upToInvoice(makeCsr().pem);
  await buyer.contact({ email: newEmail() });
  await buyer.invoice();
  const { id } = await onlyOrder(buyer);
  await remove(owner, purchaser);
  const request = (await mailsOf(id)).find(({ dedupeKey }) => dedupeKey.startsWith("authorisation-request:"));
  const token = /no-more-messages\/([\w-]{43})/.exec(await textOf(request))?.[1] ?? "";
  await run(stopPage.action, await (await anonymous()).post(serverPaths.noMoreMessages(token)), { token });
  const toldTo = async (email: string) =>
    (await mailsTo(email)).filter(({ dedupeKey }) => dedupeKey.startsWith("contact-stopped:")).length;
  expect([await toldTo(owner.email), await toldTo(purchaser.email)]).toEqual([1, 0]);
});

test("[PUR-11] that a key is blocked is told to an owner when the person who ordered has left", async () => {
  const { owner, purchaser } = await company();
  const shared = prime(1024);
  const [one, other] = [prime(1024), prime(1024)].map((own) =>
    makeCsr({ keyFile: file("key", rsaKeyOf(shared, own)) }),
  );
  const { keyIdentity, orderId } = await createCertificateOrder(purchaser, one?.der, { status: "Issued" });
  await remove(owner, purchaser);
  const buyer = await newBuyer();
  await buyer.contact();
  await buyer.order({ csr: other?.pem ?? "", intent: "import" });
  const mails = getDb().selectFrom("mails").selectAll().where("dedupeKey", "like", `key-blocked:${keyIdentity}%`);
  const told = await mails.execute();
  expect(told.map(({ recipient }) => recipient)).toEqual([owner.email]);
  expect(told[0]?.text).toContain(`SO-${orderId}`);
});
