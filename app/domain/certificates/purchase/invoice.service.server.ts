import { type SessionUser } from "~/domain/accounts/session-user";
import { orderVersion } from "~/domain/orders/draft-completion.server";
import { invoiceForm } from "~/domain/orders/invoice.service.server";
import { certificatePrice, yearsText } from "~/domain/orders/price.policy";
import { checkPromotion } from "~/domain/orders/promotion.service.server";
import { getConfig } from "~/lib/config.server";
import { formatDiscount, formatEuro } from "~/lib/money";
import { addressText } from "~/lib/postal-address";
import { getDb } from "~db/connection.server";
import { withControlMarks } from "../request/confirmed-names.server";
import { shownCsr } from "../request/csr-import.service.server";
import { chosenTerm } from "../succession/original.server";
import { detailsToBe } from "../succession/renewal-view.server";
import { type Contact } from "./contact.schema";
import { type OpenOrder } from "./open-order.server";
import { type OrderForm } from "./order-form.schema";
import { contactOf, orderOf } from "./purchase.policy";

/** Returns what the earlier steps of a draft contain. Throws when they are not complete. */
export function stepsOf({ draft: { data }, original }: OpenOrder) {
  const order = orderOf(data, original);
  const contact = contactOf(data);
  if (!order || !contact || !data.imported) throw new Error("the order's earlier steps are missing");
  return { order, contact, details: data.imported.details };
}

/** Returns the current price of an order. `problem` says why the promotion code does not count. */
export async function priceOf({ promoCode, validityPeriod }: OrderForm, now = new Date()) {
  const { promotion, problem, discountCents } = await checkPromotion(getDb(), promoCode, validityPeriod, now);
  const perYearCents = getConfig().prices.certificatePerYearCents;
  const price = certificatePrice({ perYearCents, years: validityPeriod, discountCents });
  return { promotion: problem ? null : promotion, problem, price };
}

/** Returns the authentication contact as the review shows it: in a few words for a phone, and every detail. */
function contactForReview(contact: Contact, country: string | undefined) {
  return {
    summary: `${contact.name}, ${contact.email}`,
    facts: [
      { term: "Name", detail: contact.name },
      { term: "Company", detail: `${contact.company}, ${contact.position}` },
      { term: "Email", detail: contact.email },
      { term: "Address", detail: addressText({ ...contact, countryId: contact.country, country }) },
      { term: "Phone number", detail: contact.phoneNumber },
    ],
  };
}

/**
 * Returns the data of the third step's page: the order for review, the invoice address, and what VAT is calculated from.
 *
 * @param usesLastAddress Whether the form has the address of the user's last order.
 */
export async function invoiceStep(
  { id: userId, companyId }: Pick<SessionUser, "id" | "companyId">,
  open: OpenOrder,
  usesLastAddress = false,
  now = new Date(),
) {
  const { draft, original } = open;
  const { order, contact, details } = stepsOf(open);
  const { price, problem } = await priceOf(order, now);
  const form = await invoiceForm(userId, draft, usesLastAddress);
  const validity = yearsText(order.validityPeriod);
  return {
    ...form,
    version: orderVersion(draft.data),
    order: { ...order, validity, summary: `${details.commonName}, ${validity}` },
    contact: contactForReview(contact, form.countries.find(({ id }) => id === contact.country)?.name),
    details: await withControlMarks(
      shownCsr(detailsToBe(details, original), { ...order, isRenewal: original !== null }),
      companyId,
      "customer",
      now,
    ),
    renewal: original && chosenTerm(original, order.validityPeriod),
    costs: [
      { label: "Total order cost", value: formatEuro(price.priceCents) },
      ...(original ? [] : [{ label: "Promotional discount", value: formatDiscount(price.discountCents) }]),
    ],
    price,
    promotionProblem: problem,
  };
}
