import { type SessionUser } from "~/domain/accounts/session-user";
import { parseContact } from "~/domain/certificates/purchase/contact.schema";
import { listPreparedRenewals } from "~/domain/certificates/succession/prepared-renewals.service.server";
import { renewalBarrier } from "~/domain/certificates/succession/renewal.policy";
import { withSuccessors } from "~/domain/certificates/succession/successors.server";
import { mayAsMember } from "~/domain/companies/roles.policy";
import { documentsByOrder, lastInvoiceId } from "~/domain/orders/invoices/order-documents.server";
import { orderNumber } from "~/domain/orders/order-number";
import { type Unfinished as PurchaseWizard } from "~/domain/orders/own/discarding.service.server";
import { ownOrderList } from "~/domain/orders/own/own-order-list";
import { type listUnfinished } from "~/domain/orders/own/own-orders.service.server";
import { getConfig } from "~/lib/config.server";
import { addDays, daysSince, daysUntil, formatDate } from "~/lib/dates";
import { formatEuro } from "~/lib/money";
import { type CertificateWizard, paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import { getDb } from "~db/connection.server";
import {
  listEnding,
  listRejected,
  listToBeRevoked,
  listUnpaid,
  listWaitingForContact,
} from "~db/repositories/own-work.server";

/** From how many days before its end a certificate is to be renewed now, and for how many days after it. */
export const SOON_DAYS = 30;

/** For how many days a rejected order is among the tasks. */
const REJECTED_DAYS = 14;

/** How many tasks the dashboard shows. */
const TASKS_SHOWN = 5;

/** Something to do, with the one act that does it. */
export interface OwnTask {
  key: string;
  /** What it is about, with its page, and the rest of the sentence. */
  about: string;
  to: string | null;
  text: string;
  hint: string;
  action: {
    label: string;
    /** What the label leaves out, for screen readers. */
    of: string;
    /** `renew` begins the renewal of the certificate with this id; the others open an address. */
    kind: "renew" | "page" | "resume" | "file";
    id?: number;
    to?: string;
  } | null;
  /** The order that is not complete and can be discarded, after a question. */
  draft?: { wizard: PurchaseWizard; id: string };
}

const days = (count: number) => (count === 1 ? "1 day" : `${count} days`);

function endText(expiryDate: string, now: Date): string {
  if (expiryDate <= now.toISOString()) {
    const ago = daysSince(expiryDate, now);
    return ago === 0 ? "has ended today" : `ended ${days(ago)} ago`;
  }
  return `ends in ${days(daysUntil(expiryDate, now))}`;
}

/** Returns the certificates to renew, the first end first. Those whose renewal is ordered are left out. */
async function renewals(user: SessionUser, now: Date): Promise<OwnTask[]> {
  const span = { from: addDays(now, -SOON_DAYS), to: addDays(now, SOON_DAYS) };
  const rows = await withSuccessors(await listEnding(getDb(), user.companyId, span, 2 * TASKS_SHOWN));
  const window = getConfig().certificates;
  return rows
    .filter(({ successors }) => !successors.some(({ status }) => status !== "Cancelled" && status !== "Rejected"))
    .map((row) => {
      const expiryDate = row.expiryDate ?? "";
      const isOpen = renewalBarrier(user, row, window, now) === null;
      return {
        key: `renew-${row.id}`,
        about: row.commonName,
        to: paths.certificateDetails(row.id),
        text: endText(expiryDate, now),
        hint: `Valid until ${formatDate(expiryDate)}. Partners need the new certificate before the old one ends.`,
        action: isOpen ? { label: "Renew", of: row.commonName, kind: "renew", id: row.id } : null,
      };
    });
}

/** Returns the renewals that colleagues have prepared, for those who may order them. */
async function preparedRenewals(user: SessionUser): Promise<OwnTask[]> {
  if (!mayAsMember(user, "place-orders")) return [];
  return (await listPreparedRenewals(user)).map(({ draftId, certificateId, commonName, by, until }) => ({
    key: `prepared-${draftId}`,
    about: commonName,
    to: paths.certificateDetails(certificateId),
    text: "has a prepared renewal",
    hint: `Prepared by ${by}. Kept until ${formatDate(until)}.`,
    action: {
      label: "Check and order",
      of: `the renewal of ${commonName}`,
      kind: "page",
      to: paths.certificateWizard("renew", "invoice-address", draftId),
    },
  }));
}

/** Returns the pending orders whose contact has refused or has not answered. */
async function contacts(user: SessionUser): Promise<OwnTask[]> {
  const rows = await listWaitingForContact(getDb(), user.companyId, TASKS_SHOWN);
  return rows.map(({ id, orderId, commonName, requestedAt, ...row }) => {
    const { name } = parseContact(row.authenticationContact);
    const [number, to] = [orderNumber(orderId), paths.order(orderId)];
    return {
      key: `contact-${id}`,
      about: number,
      to,
      text: row.contactAnswer === "refused" ? `was refused by ${name}` : `waits for ${name}`,
      hint: `For ${commonName}, ordered on ${formatDate(requestedAt)}.`,
      action: { label: "Open order", of: number, kind: "page", to },
    };
  });
}

/** Returns the orders that staff have rejected lately. */
async function rejected(user: SessionUser, now: Date): Promise<OwnTask[]> {
  const rows = await listRejected(getDb(), user.companyId, addDays(now, -REJECTED_DAYS), TASKS_SHOWN);
  return rows.map(({ id, orderId, commonName, decisionReason }) => {
    const [number, to] = [orderNumber(orderId), paths.order(orderId)];
    return {
      key: `rejected-${id}`,
      about: number,
      to,
      text: "was rejected",
      hint: [`For ${commonName}.`, decisionReason].filter(Boolean).join(" "),
      action: { label: "Open order", of: number, kind: "page", to },
    };
  });
}

/** Returns the certificates whose revocation is still to come. */
async function revocations({ companyId }: SessionUser): Promise<OwnTask[]> {
  const rows = await listToBeRevoked(getDb(), companyId, TASKS_SHOWN);
  return rows.map(({ id, commonName, revocationDate }) => ({
    key: `revoked-${id}`,
    about: commonName,
    to: paths.certificateDetails(id),
    text: `is revoked on ${formatDate(revocationDate)}`,
    hint: "Partners accept it until then. Make sure that they have another certificate by that day.",
    action: null,
  }));
}

/** Returns the invoices to pay, the oldest first. */
async function invoices(user: SessionUser): Promise<OwnTask[]> {
  const unpaid = await listUnpaid(getDb(), user.companyId, TASKS_SHOWN);
  const documents = await documentsByOrder(
    getDb(),
    unpaid.map(({ orderId }) => orderId),
  );
  return unpaid.map(({ orderId, invoiceNumber, orders, cents, invoiceDate }) => {
    const invoice = lastInvoiceId(documents.get(orderId) ?? []);
    const number = documents.get(orderId)?.find((document) => document.id === invoice)?.number;
    const file = { label: "Download invoice", kind: "file", to: paths.invoice(invoice ?? 0) } as const;
    const isShared = orders > 1;
    return {
      key: `invoice-${orderId}`,
      about: isShared ? (invoiceNumber ?? "") : orderNumber(orderId),
      to: isShared ? ownOrderList.href({ unpaid: true }) : paths.order(orderId),
      text: "is not paid",
      hint: [
        isShared ? `${orders} orders` : number,
        formatEuro(cents),
        invoiceDate && `invoiced on ${formatDate(invoiceDate)}`,
      ]
        .filter(Boolean)
        .join(", ")
        .concat("."),
      action: invoice === null ? null : { ...file, of: number ?? "" },
    };
  });
}

type Unfinished = Awaited<ReturnType<typeof listUnfinished>>;

/** Returns the orders that this user has begun. */
function drafts({ purchase, renew, codes }: Unfinished): OwnTask[] {
  const task = (
    { id, what, updatedAt }: { id: string; what: string; updatedAt: string },
    wizard: PurchaseWizard,
    firstStep: string,
  ) => ({
    key: `draft-${id}`,
    about: what,
    to: null,
    text: "is not ordered yet",
    hint: `Last saved on ${formatDate(updatedAt)}.`,
    action: {
      label: "Continue",
      of: `with ${what}`,
      kind: "resume" as const,
      to: rarePaths.resumedOrder(firstStep),
    },
    draft: { wizard, id },
  });
  const certificate = (wizard: CertificateWizard) => (draft: (typeof purchase)[number]) =>
    task(draft, wizard, paths.certificateWizard(wizard, "contact-details", draft.id));
  return [
    ...purchase.map(certificate("purchase")),
    ...renew.map(certificate("renew")),
    ...codes.map((draft) => task(draft, "codes", paths.codePurchase("contact-details", draft.id))),
  ];
}

/** Returns what this user should do next, at most five tasks, the most urgent first. */
export async function listTasks(user: SessionUser, unfinished: Unfinished, now: Date): Promise<OwnTask[]> {
  const found = await Promise.all([
    renewals(user, now),
    preparedRenewals(user),
    contacts(user),
    rejected(user, now),
    revocations(user),
    invoices(user),
  ]);
  return [...found.flat(), ...drafts(unfinished)].slice(0, TASKS_SHOWN);
}
