import { paths, type WizardStep } from "~/lib/paths";
import * as contactPage from "~/routes/home.code.purchase.contact-details";
import * as invoicePage from "~/routes/home.code.purchase.invoice-address";
import * as orderPage from "~/routes/home.code.purchase.order/route";
import { createUser } from "../support/factories";
import { jsonOf, run, signedInAs, type Visitor } from "../support/visitor";
import { amountsShown, draftOf, INVOICE } from "./purchase-journey";

export const CODE_ORDER = {
  purchaseOrderNumber: "PO-4711",
  productType: "Full",
  quantity: "3",
  termsAndConditionsAccepted: "on",
};

type Fields = Record<string, string | undefined>;

/** A customer who buys codes, through the real loaders and actions. */
export class CodeBuyer {
  constructor(
    readonly user: Awaited<ReturnType<typeof createUser>>,
    readonly visitor: Visitor,
    readonly draft: string,
  ) {}

  url = (step: WizardStep): string => paths.codePurchase(step, this.draft);

  confirm = async (): Promise<Response> =>
    run(contactPage.action, await this.visitor.post(this.url("contact-details")));

  order = async (fields: Fields = {}): Promise<Response> =>
    run(orderPage.action, await this.visitor.post(this.url("order"), { ...CODE_ORDER, ...fields }));

  orderStep = async () => run(orderPage.loader, this.visitor.get(this.url("order")));

  invoiceStep = async () => run(invoicePage.loader, this.visitor.get(this.url("invoice-address")));

  /** Returns the version of the order that the page of the third step shows and sends. */
  async orderVersion(): Promise<string> {
    const page = await this.invoiceStep();
    return page.ok ? (await jsonOf<{ version: string }>(page)).version : "";
  }

  /** Returns the fields that the page of the third step sends. */
  async invoiceFields(fields: Fields = {}): Promise<Fields> {
    const orderVersion = fields.orderVersion ?? (await this.orderVersion());
    const country = fields.country ?? INVOICE.country;
    const shownAmounts = fields.shownAmounts ?? (await amountsShown(await this.invoiceStep(), country));
    return { ...INVOICE, ...fields, orderVersion, shownAmounts };
  }

  invoice = async (fields: Fields = {}): Promise<Response> =>
    run(invoicePage.action, await this.visitor.post(this.url("invoice-address"), await this.invoiceFields(fields)));
}

/** Begins another purchase in a second window of the same customer. */
export async function newWindow(user: CodeBuyer["user"], visitor: Visitor): Promise<CodeBuyer> {
  const begun = await run(contactPage.loader, visitor.get(paths.codePurchase("contact-details")));
  return new CodeBuyer(user, visitor, draftOf(begun));
}

/** Returns a new applicant at the first step. `given` changes the account. */
export async function newCodeBuyer(given: Parameters<typeof createUser>[0] = {}): Promise<CodeBuyer> {
  const user = await createUser(given);
  return newWindow(user, await signedInAs(user));
}

/** Returns a new applicant at the second step. */
export async function buyerAtOrder(given: Parameters<typeof createUser>[0] = {}): Promise<CodeBuyer> {
  const buyer = await newCodeBuyer(given);
  await buyer.confirm();
  return buyer;
}

/** Returns a new applicant at the third step. */
export async function buyerAtInvoice(fields: Fields = {}): Promise<CodeBuyer> {
  const buyer = await buyerAtOrder();
  await buyer.order(fields);
  return buyer;
}
