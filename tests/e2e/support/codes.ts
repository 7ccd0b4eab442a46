import { randomBytes } from "node:crypto";
import { addDays } from "~/lib/dates";
import { closeDb, getConnection, getDb, openDatabase } from "~db/connection.server";
import { findCompanyId } from "~db/repositories/companies.server";
import { insertMaintenance } from "~db/repositories/maintenance.server";
import { listUsersByLogin } from "~db/repositories/users.server";
import { type CodeType } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { checksDone, createCertificateOrder, setCertificate } from "../../support/certificates";
import { createAvailableCodes, createCode, createCodeOrder } from "../../support/codes";
import { createInvoiceableOrder } from "../../support/invoices";
import { confirmDomainOf } from "../../support/standing";
import { type RunningPortal } from "./running-portal";

type User = Awaited<ReturnType<typeof listUsersByLogin>>[number];

/** Runs `work` for a customer in the database of the running portal. */
async function forCustomer<T>(portal: RunningPortal, email: string, work: (user: User) => Promise<T>): Promise<T> {
  const { databaseUrl, dataDir } = portal;
  getConnection.replace(openDatabase({ dataDir, databaseUrl: databaseUrl || undefined, databaseTimeoutMs: 20_000 }));
  try {
    const [user] = await listUsersByLogin(getDb(), email);
    if (!user) throw new Error(`There is no account ${email}.`);
    return await work(user);
  } finally {
    await closeDb();
  }
}

/** Gives a customer paid codes. */
export const giveCodes = (portal: RunningPortal, email: string, codeType: CodeType, quantity: number) =>
  forCustomer(portal, email, (user) => createAvailableCodes(user, codeType, quantity));

/** Stores an open order of a code for each of these companies. Returns their ids. */
export const giveOrders = (portal: RunningPortal, email: string, companies: readonly string[]): Promise<number[]> =>
  forCustomer(portal, email, async (user) => {
    const ids: number[] = [];
    const createdAt = new Date("2026-11-01T10:00:00Z");
    for (const company of companies) ids.push(await createCodeOrder(user, "Basic", 1, { company, createdAt }));
    return ids;
  });

/** Stores a maintenance order for a Full code with this many sub-codes and for an OFTP code. Returns its id. */
export const giveMaintenance = (portal: RunningPortal, email: string, subcodes: number): Promise<number> =>
  forCustomer(portal, email, async (user) => {
    const [full, oftp] = [await createCode(user), await createCode(user, { codeType: "OFTP" })];
    const orderId = await createCodeOrder(user, "Full", 2, { isMaintenance: true, codeType: null });
    const names = Array.from({ length: subcodes }, (_, index) => String(index + 10));
    const lines = [
      { code: `${full.code}00`, codeId: full.id, codeType: "Full" as const, subcodes: names, costCents: 22_500 },
      { code: oftp.code, codeId: oftp.id, codeType: "OFTP" as const, subcodes: [], costCents: 1_667 },
    ].map((line, index) => ({ ...line, subcodes: JSON.stringify(line.subcodes), discountNumMonths: 8 * index }));
    const companyId = await findCompanyId(getDb(), user.id);
    await inTransaction((trx) => insertMaintenance(trx, { year: 2026, companyId, orderId }, lines));
    return orderId;
  });

/** Gives a customer an order of codes that can be invoiced. Returns its id. */
export const giveOrder = (portal: RunningPortal, email: string, given?: Parameters<typeof createInvoiceableOrder>[1]) =>
  forCustomer(portal, email, (user) => createInvoiceableOrder(user, given));

/** Confirms a domain for the company of a customer, as a DNS record does. */
export const giveDomain = (portal: RunningPortal, email: string, name: string): Promise<unknown> =>
  forCustomer(portal, email, async (user) =>
    confirmDomainOf({ ...user, companyId: await findCompanyId(getDb(), user.id) }, name),
  );

/** Stores a customer's order of a certificate that waits for its checks. Returns its id. */
export const giveCertificateOrder = (
  portal: RunningPortal,
  email: string,
  csr: string,
  given: Parameters<typeof createCertificateOrder>[2] = {},
): Promise<number> => forCustomer(portal, email, async (user) => (await createCertificateOrder(user, csr, given)).id);

/** Records all checks of the only order of a certificate that a customer has. Returns its id. */
export const giveChecks = (portal: RunningPortal, email: string): Promise<number> =>
  forCustomer(portal, email, async ({ id: userId }) => {
    const orders = getDb().selectFrom("certificates").select("id").where("userId", "=", userId);
    const { id } = await orders.executeTakeFirstOrThrow();
    await setCertificate(id, checksDone());
    return id;
  });

/** Stores this many orders of a customer with the same CSR, all checks of which are done. */
export const giveCheckedOrders = (portal: RunningPortal, email: string, csr: string, count: number): Promise<void> =>
  forCustomer(portal, email, async (user) => {
    for (let number = 0; number < count; number += 1) await createCertificateOrder(user, csr, checksDone());
  });

/** Gives a customer the row of an issued certificate, which nobody has signed unless `der` has one. Returns its id. */
export const giveCertificate = (
  portal: RunningPortal,
  email: string,
  commonName: string,
  der: Buffer | null = null,
): Promise<number> =>
  forCustomer(portal, email, async (user) => {
    const [startDate, expiryDate] = [addDays(new Date(), -1), addDays(new Date(), 300)];
    const issuers = getDb().selectFrom("authorities").select("id").where("name", "=", "issuing-sha2");
    const authorityId = der && (await issuers.executeTakeFirstOrThrow()).id;
    const issued = {
      status: "Issued",
      serialNumber: randomBytes(16).toString("hex"),
      der: der ?? Buffer.from("3000", "hex"),
      authorityId,
    } as const;
    const row = await createCertificateOrder(user, undefined, { ...issued, commonName, startDate, expiryDate });
    return row.id;
  });
