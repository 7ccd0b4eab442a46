import { sumOf } from "~/domain/codes/entity-types";
import { completeCodePurchase } from "~/domain/codes/purchase/completion.service.server";
import { codeWizard } from "~/domain/codes/purchase/draft.server";
import { importRegister } from "~/domain/codes/register-file/import.service.server";
import { loadDraft, startDraft } from "~/domain/drafts/drafts.service.server";
import { orderVersion } from "~/domain/orders/draft-completion.server";
import { issueInvoice } from "~/domain/orders/invoices/invoices.service.server";
import { chargeCompany } from "~/domain/orders/maintenance/generation.service.server";
import { addDays } from "~/lib/dates";
import { type CodeType } from "~db/tables";
import { actAs, DEMO, STAFF } from "./accounts";
import { invoiceOf } from "./certificate-orders";
import { COMPANIES, type DemoCompany, emailOf, loginOf } from "./companies";
import { asCsvFile, onProblem } from "./csv-file";
import { payOrder } from "./payments";

const contactsOf = ({ colleague, ...company }: DemoCompany) => {
  const [firstName = "", ...rest] = colleague.name.split(" ");
  const email = emailOf(colleague.name, company);
  return JSON.stringify([{ contactType: "IT", firstName, lastName: rest.join(" "), email }]);
};

type Cells = Record<string, string | number>;

const codeRow = (company: DemoCompany, code: string, codeType: CodeType, more: Cells = {}): Cells => ({
  owner: loginOf(company),
  code,
  codeType,
  entityName: company.company,
  contacts: contactsOf(company),
  registeredAt: "2021-03-01T09:00:00Z",
  ...more,
});

/**
 * Returns the rows of the register that the association had before: each company with its code, some with plants, and codes that are no
 * longer in use.
 */
function registerRows(): Cells[] {
  const headquarters = { entityType: sumOf(["Headquarters", "Production"]) };
  const rows = COMPANIES.map((company, index) =>
    codeRow(company, `D${index}M${index}`, index % 2 === 0 ? "Full" : "Basic", headquarters),
  );
  for (const [index, company] of COMPANIES.slice(0, 3).entries()) {
    const plant = { subcode: "P1", entityName: `${company.company}, Plant 1`, entityType: sumOf(["Production"]) };
    const gateway = { subcode: "ED", entityName: `${company.company}, EDI`, entityType: sumOf(["IT", "OFTP"]) };
    for (const more of [plant, gateway])
      rows.push(codeRow(company, `D${index}M${index}`, index % 2 === 0 ? "Full" : "Basic", more));
  }
  for (const [index, company] of COMPANIES.slice(0, 2).entries()) {
    rows.push(codeRow(company, `XD${index}M`, "OFTP", { entityType: sumOf(["IT"]) }));
    rows.push(codeRow(company, `C${index}L${index}`, "Full", { status: index === 0 ? "Cancelled" : "Expired" }));
  }
  return rows;
}

interface CodeOrder {
  company: DemoCompany;
  productType: CodeType;
  quantity: number;
  /** How many days ago it was ordered. */
  ago: number;
  isPaid: boolean;
}

/** Orders codes as the wizard does. Paid orders are invoiced first, and their codes are not registered yet. */
async function orderCodes({ company, productType, quantity, ago, isPaid }: CodeOrder, now: Date): Promise<void> {
  const user = await actAs(loginOf(company));
  const order = { purchaseOrderNumber: `PO-${2000 + ago}`, productType, quantity: String(quantity) };
  const id = await startDraft(codeWizard, user.id, {
    isConfirmed: true,
    order: { ...order, termsAndConditionsAccepted: "on" },
  });
  const draft = await loadDraft(codeWizard, user.id, id);
  const ordered = addDays(now, -ago);
  const invoice = await invoiceOf(user);
  const orderId =
    draft && (await completeCodePurchase(user, draft, { ...invoice, seen: orderVersion(draft.data) }, ordered));
  if (orderId === null) throw new Error(`demo, ${company.company}: there is no order of codes`);
  if (!isPaid) return;
  await issueInvoice(orderId, (await actAs(STAFF)).actor, addDays(ordered, 2));
  await payOrder(orderId, addDays(ordered, 9));
}

/** Charges the first company for last year's maintenance. The portal's own job charges no year before its first one. */
async function chargeLastYear(now: Date): Promise<void> {
  const [company] = COMPANIES;
  if (!company) return;
  const year = now.getUTCFullYear() - 1;
  const owner = await actAs(loginOf(company));
  await chargeCompany(owner.companyId, year, `${year + 1}-01-01T00:00:00.000Z`, now);
}

/** Imports the register and orders codes. Returns how many codes are registered. */
export async function makeCodes(now: Date): Promise<number> {
  const rows = registerRows();
  await asCsvFile(rows, (file) =>
    importRegister({ file, dryRun: false, actor: DEMO, onProblem, onExisting: () => undefined }, now),
  );
  const types: CodeType[] = ["Basic", "Full", "OFTP", "Full"];
  for (const [index, company] of COMPANIES.slice(0, 4).entries()) {
    const productType = types[index] ?? "Full";
    await orderCodes({ company, productType, quantity: index + 1, ago: 100 - 30 * index, isPaid: index < 3 }, now);
  }
  await chargeLastYear(now);
  return rows.length;
}
