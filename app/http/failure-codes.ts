import { SALES_ORDER_FILTERS } from "~/domain/orders/list/sales-order-list";

type Code = string | ((url: URL) => string);

interface Codes {
  loader?: Code;
  action?: Code;
}

const invoiceStep: Codes = { loader: "PIA0301E", action: "CIA0101E" };
const contactStep: Codes = { loader: "IMP0D01E", action: "IMP0D01E" };
const orderStep: Codes = { loader: "IMP0B01E", action: "IMP0B01E" };

/** One form changes a code and registers a code or a sub-code. Each has its own failure code. */
const codeAction = ({ searchParams: query }: URL) => {
  if (query.has("code")) return "OCA0A02E";
  return query.has("parent") ? "OCA0A04E" : "OCA0A03E";
};

/** Loading the sales orders and searching them have different codes. */
const salesOrdersLoader = ({ searchParams: query }: URL) =>
  SALES_ORDER_FILTERS.some((name) => query.has(name)) ? "OCA0L02E" : "OCA0L01E";

/** The documented codes of unexpected failures (API-07), by the route whose loader or action fails. */
export const FAILURE_CODES: Readonly<Record<string, Codes>> = {
  "_public.change-password": { loader: "OCA0E01E", action: "OCA0E01E" },
  "_public.complete-registration": { loader: "IMP0802E", action: "IMP0801E" },
  "_public.forgot-password": { action: "OCA0C01E" },
  "_public.login-as-user.$userId.$authString": { loader: "OCA0403E", action: "OCA0403E" },
  "_public.register": { loader: "OCA0H01E", action: "OCA0I01E" },
  "_public.reset-code": { loader: "OCA0D01E", action: "OCA0D02E" },
  "_public.reset-code_.$token.$email": { loader: "OCA0D01E", action: "OCA0D02E" },
  "home.certificate-details.$id": { loader: "OCA0701E" },
  "home.certificate-download.$id": { loader: "OCA0801E" },
  "home.certificate-file.$id": { loader: "OCA0801E" },
  "home.certificate.$wizard.contact-details": contactStep,
  "home.certificate.$wizard.invoice-address": invoiceStep,
  "home.certificate.$wizard.order": orderStep,
  "home.certificate.revoke.$id": { loader: "OCA0N01E", action: "OCA0F01E" },
  "home.certificates": { loader: "OCA0901E", action: "OCA0901E" },
  "home.code.purchase.contact-details": contactStep,
  "home.code.purchase.invoice-address": invoiceStep,
  "home.code.purchase.order": { ...orderStep, loader: "OCA0N01E" },
  "home.codes": { loader: "OCA0B01E", action: "OCA0B01E" },
  "home.codes_.code-details": { loader: "OCA0A01E", action: codeAction },
  "home.codes_.code-details_.audit-log": { loader: "OCA0K01E" },
  "home.dashboard": { loader: "IMP0901E" },
  "home.manage": { loader: "IMP0C01E", action: "IMP0C01E" },
  "home.sale-orders": { loader: salesOrdersLoader, action: "OCA0L01E" },
  "home.sale-orders_.export[.]csv": { loader: "OCA0L03E" },
  "home.sale-orders_.details": { loader: "OCA0M02E", action: "OCA0M01E" },
  "home.search-codes": { loader: "OCA0J01E", action: "OCA0J01E" },
  "home.user-management": { loader: "OCA0F01E", action: "OCA0F02E" },
};

/**
 * Returns the documented code of a failure in this handler of a route, if there is one. `routeId` is the id of the route in Remix's build.
 */
export function failureCode(routeId: string, handler: keyof Codes, request: Request): string | undefined {
  const code = FAILURE_CODES[routeId.replace(/^routes\//, "")]?.[handler];
  return typeof code === "function" ? code(new URL(request.url)) : code;
}
