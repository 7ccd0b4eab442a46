import { createHash } from "node:crypto";
import { maySee } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { hiddenFrom } from "~/domain/security-events/hidden.server";
import { inWorker } from "~/domain/workers/pool.server";
import { notFound } from "~/lib/errors";
import { logError } from "~/lib/log.server";
import { getDb } from "~db/connection.server";
import {
  findInvoice,
  findInvoiceFile,
  type InvoiceRow,
  keepInvoiceFile,
  listInvoicesWithoutFile,
} from "~db/repositories/invoices.server";
import { invoiceNumber, parseInvoiceContent } from "./invoice-content";

export interface InvoiceFile {
  bytes: Buffer;
  mediaType: "application/pdf";
  fileName: string;
}

/** The number of PDFs that the job makes in one run. */
const BATCH = 100;

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Returns the stored PDF, or null when there is none yet. Throws when its hash differs from the stored one. */
async function readKept({ id, ...invoice }: InvoiceRow): Promise<Buffer | null> {
  const file = await findInvoiceFile(getDb(), id);
  if (file && sha256(file.pdf) !== file.sha256)
    throw new Error(`The PDF of invoice ${invoiceNumber(invoice)} is not the one that was stored.`);
  return file && file.pdf;
}

/**
 * Makes the PDF from the content of the invoice and stores it with its hash. When another process was faster, its PDF stays and is
 * returned.
 */
async function makeFile(invoice: InvoiceRow, now: Date): Promise<Buffer> {
  const pdf = await inWorker("invoicePdf", parseInvoiceContent(invoice.content));
  await keepInvoiceFile(getDb(), { invoiceId: invoice.id, pdf, sha256: sha256(pdf), storedAt: now });
  return (await readKept(invoice)) ?? pdf;
}

/**
 * Returns the PDF of an invoice and makes it the first time it is requested. Throws when the invoice is missing, when the PDF does not
 * match its hash, or when it cannot be stored; then the next request tries again. Must not be called inside a transaction.
 */
export async function getInvoiceFile(id: number, now = new Date()): Promise<InvoiceFile> {
  const invoice = await findInvoice(getDb(), id);
  if (!invoice) throw new Error(`There is no invoice ${id}.`);
  return {
    bytes: (await readKept(invoice)) ?? (await makeFile(invoice, now)),
    mediaType: "application/pdf",
    fileName: `${invoiceNumber(invoice)}.pdf`,
  };
}

/**
 * Returns the PDF of an invoice for a user. Throws a PortalError (404) when there is no such invoice, or when it is somebody else's and the
 * user is no administrator.
 */
export async function getInvoiceFileFor(user: SessionUser, id: number): Promise<InvoiceFile> {
  const invoice = await findInvoice(getDb(), id);
  if (!invoice) throw notFound();
  if (!maySee(user, invoice)) throw hiddenFrom(user);
  return getInvoiceFile(id);
}

/**
 * Makes the PDFs that are missing, for example after a crash or a full disk. Returns their number. A failure is logged and does not stop
 * the others; the first one is thrown at the end.
 */
export async function makeMissingFiles(now = new Date()): Promise<number> {
  const failures: unknown[] = [];
  const ids = await listInvoicesWithoutFile(getDb(), BATCH);
  for (const id of ids) {
    try {
      await getInvoiceFile(id, now);
    } catch (error) {
      logError(error);
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return ids.length;
}
