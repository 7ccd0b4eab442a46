import { getDb } from "~db/connection.server";
import { type ApiClient, type Wrapped } from "./api";

export const WIRE_CONTACT = {
  name: "Berta Brown",
  company: "Example Parts Ltd",
  position: "Head of IT",
  email: "berta.brown@example-parts.com",
  addressLine1: "1 Mill Lane",
  addressLine2: " ",
  city: "Coventry",
  postalCode: "CV1 1AA",
  countryId: 826,
  phoneNumber: "+44 20 7946 0001",
};

export const WIRE_INVOICE = {
  name: "Anna Müller",
  company: "Example Parts Ltd",
  email: "accounts.payable@example-parts.com",
  addressLine1: "1 Mill Lane",
  addressLine2: " ",
  city: "Coventry",
  postalCode: "CV1 1AA",
  countryId: 826,
  phoneNumber: "+44 20 7946 0000",
  vat: "GB123456789",
};

const ORDER = { purchaseOrderNumber: "PO-88213", validityPeriod: 2, termsAndConditionsAccepted: true };

interface Parts {
  order?: object;
  authenticationContact?: object;
  invoiceAddress?: object;
  [field: string]: unknown;
}

/** Returns the body of an order for a certificate for two years. */
export const orderBody = (csr: string, { order, authenticationContact, invoiceAddress, ...rest }: Parts = {}) => ({
  authenticationContact: { ...WIRE_CONTACT, ...authenticationContact },
  order: { ...ORDER, csr, ...order },
  invoiceAddress: { ...WIRE_INVOICE, ...invoiceAddress },
  ...rest,
});

export type Completion = Wrapped<{ orderId: number; isNotified: boolean }>;

export const COMPLETE = "certificates/CompletePurchaseJourney";

/** Places an order as a program does, with or without an Idempotency-Key. */
export const complete = (client: ApiClient, body: unknown, key?: string): Promise<Completion> =>
  client.post(COMPLETE, body, key === undefined ? {} : { "Idempotency-Key": key });

export const ordersOf = (userId: number) =>
  getDb().selectFrom("orders").selectAll().where("userId", "=", userId).orderBy("id").execute();

const CODES = {
  purchaseOrderNumber: "PO-4711",
  codeType: "OSCAR Code Full",
  quantity: 3,
  termsAndConditionsAccepted: true,
};

/** Returns the body of an order for three Full codes. */
export const codeOrderBody = ({ order, invoiceAddress, ...rest }: Parts = {}) => ({
  order: { ...CODES, ...order },
  invoiceAddress: { ...WIRE_INVOICE, ...invoiceAddress },
  ...rest,
});
