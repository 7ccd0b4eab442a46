import { expect } from "vitest";
import { type InvoiceCountry } from "~/domain/orders/invoice-address.schema";
import { amountsName, vatFor } from "~/domain/orders/price.policy";
import { type CertificateWizard, paths, type WizardStep } from "~/lib/paths";
import { getDb } from "~db/connection.server";
import { createUser } from "../support/factories";
import { jsonOf, run, signedInAs, type Visitor } from "../support/visitor";
import { purchase, renewal } from "../support/wizard-routes";

export const GB = "826";
export const DE = "276";
export const CH = "756";

export const CONTACT = {
  name: "Berta Brown",
  company: "Example Parts Ltd",
  position: "Head of IT",
  email: "berta.brown@example-parts.com",
  addressLine1: "1 Mill Lane",
  addressLine2: "",
  city: "Coventry",
  postalCode: "CV1 1AA",
  country: GB,
  phoneNumber: "+44 20 7946 0001",
};

export const USAGE = { hasSecureSession: "on", hasEmail: "on", hasEncryption: "on", hasFileSigning: "on" };

export const ORDER = {
  ...USAGE,
  validityPeriod: "2",
  purchaseOrderNumber: "PO-88213",
  promoCode: "",
  termsAndConditionsAccepted: "on",
};

export const INVOICE = {
  name: "Anna Müller",
  company: "Example Parts Ltd",
  email: "accounts.payable@example-parts.com",
  addressLine1: "1 Mill Lane",
  addressLine2: "",
  city: "Coventry",
  postalCode: "CV1 1AA",
  country: GB,
  phoneNumber: "+44 20 7946 0000",
  vat: "GB123456789",
};

type Fields = Record<string, string | string[] | File | undefined>;

const ROUTES = { purchase, renew: renewal };

interface Priced {
  price: { netCents: number };
  vatRate: number;
  countries: InvoiceCountry[];
}

/** Returns the amounts that the page of the third step sends, with scripts, when this country is chosen, or "" when it redirects. */
export async function amountsShown(page: Response, country: unknown): Promise<string> {
  if (!page.ok) return "";
  const { price, vatRate, countries } = await jsonOf<Priced>(page.clone());
  const chosen = countries.find(({ id }) => String(id) === country) ?? null;
  return amountsName(price.netCents, vatFor({ country: chosen, netCents: price.netCents, rate: vatRate }));
}

/** A customer in a wizard, through the real loaders and actions. */
export class Buyer {
  constructor(
    readonly user: Awaited<ReturnType<typeof createUser>>,
    readonly visitor: Visitor,
    readonly draft: string,
    readonly wizard: CertificateWizard = "purchase",
  ) {}

  get routes() {
    return ROUTES[this.wizard];
  }

  /** The parameters that the router reads from the address of a step. */
  get params() {
    return { wizard: this.wizard };
  }

  url = (step: WizardStep): string => paths.certificateWizard(this.wizard, step, this.draft);

  contact = async (fields: Fields = {}): Promise<Response> =>
    run(this.routes.contact.action, await this.visitor.post(this.url("contact-details"), { ...CONTACT, ...fields }));

  order = async (fields: Fields = {}): Promise<Response> =>
    run(this.routes.order.action, await this.visitor.post(this.url("order"), { ...ORDER, ...fields }));

  contactPage = async () => run(this.routes.contact.loader, this.visitor.get(this.url("contact-details")));

  orderPage = async () => run(this.routes.order.loader, this.visitor.get(this.url("order")));

  invoicePage = async () => run(this.routes.invoice.loader, this.visitor.get(this.url("invoice-address")));

  /** Returns the version of the order that the page of the third step shows and sends. */
  async orderVersion(): Promise<string> {
    const page = await this.invoicePage();
    return page.ok ? (await jsonOf<{ version: string }>(page)).version : "";
  }

  /** Returns the fields that the page of the third step sends. */
  async invoiceFields(fields: Fields = {}): Promise<Fields> {
    const orderVersion = fields.orderVersion ?? (await this.orderVersion());
    const country = fields.country ?? INVOICE.country;
    const shownAmounts = fields.shownAmounts ?? (await amountsShown(await this.invoicePage(), country));
    return { ...INVOICE, termsAndConditionsAccepted: "on", ...fields, orderVersion, shownAmounts };
  }

  invoice = async (fields: Fields = {}): Promise<Response> =>
    run(
      this.routes.invoice.action,
      await this.visitor.post(this.url("invoice-address"), await this.invoiceFields(fields)),
    );

  /** Completes the contact step, and the order step with this CSR. */
  async upToInvoice(csr: string, fields: Fields = {}): Promise<this> {
    await this.contact();
    await this.order({ csr, intent: "import" });
    const answer = await this.order({ csr, ...fields });
    if (answer.headers.get("Location") !== this.url("invoice-address")) throw new Error(await answer.text());
    return this;
  }
}

export const draftOf = (response: Response): string =>
  new URL(response.headers.get("Location") ?? "", "http://portal.test").searchParams.get("draft") ?? "";

/** Begins a purchase as the page does. Returns the id of its draft. */
export async function startPurchase(visitor: Visitor): Promise<string> {
  return draftOf(await run(purchase.contact.loader, visitor.get(paths.certificatePurchase("contact-details"))));
}

/** Returns a new applicant at the first step. */
export async function newBuyer(given: Parameters<typeof createUser>[0] = {}): Promise<Buyer> {
  const user = await createUser(given);
  const visitor = await signedInAs(user);
  return new Buyer(user, visitor, await startPurchase(visitor));
}

/** Returns a new applicant at the third step with an order of this CSR. `given` changes the account. */
export const buyerAtInvoice = async (csr: string, fields: Fields = {}, given = {}): Promise<Buyer> =>
  (await newBuyer(given)).upToInvoice(csr, fields);

export interface InvoicePage {
  values: Record<string, string>;
  problems: Record<string, string>;
  price: { priceCents: number; discountCents: number; netCents: number };
  promotionProblem: string | null;
  vatRate: number;
}

/** Returns the data of the third step. */
export const invoicePage = async (buyer: Buyer) => jsonOf<InvoicePage>(await buyer.invoicePage());

/** Begins another purchase in a second window of the same customer. */
export async function secondWindow(buyer: Buyer): Promise<Buyer> {
  return new Buyer(buyer.user, buyer.visitor, await startPurchase(buyer.visitor));
}

export const ordersOf = (userId: number) =>
  getDb().selectFrom("orders").selectAll().where("userId", "=", userId).execute();

/** Returns the order of a customer who has exactly one. */
export async function onlyOrder(buyer: Buyer) {
  const orders = await ordersOf(buyer.user.id);
  expect(orders).toHaveLength(1);
  return orders[0] as (typeof orders)[number];
}

export const certificateOf = (orderId: number) =>
  getDb().selectFrom("certificates").selectAll().where("orderId", "=", orderId).executeTakeFirstOrThrow();

export const draftRow = (id: string) =>
  getDb().selectFrom("drafts").selectAll().where("id", "=", id).executeTakeFirst();
