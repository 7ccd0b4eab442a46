import { isStaff } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { purchaseWizard } from "~/domain/certificates/purchase/wizards.server";
import { mayAsMember } from "~/domain/companies/roles.policy";
import { listResumable, startDraft } from "~/domain/drafts/drafts.service.server";
import { type ProgressStep, withStates } from "~/domain/orders/own/progress.policy";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import { getDb } from "~db/connection.server";
import { countCompanyOrders } from "~db/repositories/own-orders.server";
import { findUserById } from "~db/repositories/users.server";

/** No draft has this id, so that all drafts are listed. */
const NO_DRAFT = "";

/** Returns whether the dashboard shows this user how to get the first certificate while the company has ordered nothing. Staff order nothing. */
export const mayOrderFirst = (user: SessionUser): boolean => !isStaff(user) && mayAsMember(user, "place-orders");

/** Returns the order that this user has begun and that has a CSR, if any, and the address of the first step: of that order or a new one. */
async function findBegun(user: SessionUser, now: Date) {
  const [begun] = await listResumable(
    user.id,
    { id: NO_DRAFT, wizard: purchaseWizard },
    ({ imported }) => imported !== undefined,
    now,
  );
  const order = begun
    ? rarePaths.resumedOrder(paths.certificatePurchase("contact-details", begun.id))
    : paths.certificatePurchase("contact-details");
  return { isBegun: begun !== undefined, order };
}

/**
 * Begins the first order of a company that has ordered nothing, unless it was begun before. Returns the address of its first step, or null
 * for everybody else. The address has the draft, because a page that redirects would lose the message that it is to show.
 */
export async function beginFirstOrder(user: SessionUser, now = new Date()): Promise<string | null> {
  const { companyId } = user;
  if (!mayOrderFirst(user) || (await countCompanyOrders(getDb(), { companyId })) > 0) return null;
  const { isBegun, order } = await findBegun(user, now);
  if (isBegun) return order;
  return paths.certificatePurchase("contact-details", await startDraft(purchaseWizard, user.id, {}, now));
}

/**
 * Returns the four steps to the first certificate with their states, and the address of the order: the one that this user has begun and that
 * has a CSR, or a new one.
 */
export async function loadFirstCertificate(user: SessionUser, now: Date) {
  const { isBegun, order } = await findBegun(user, now);
  const verifiedAt = (await findUserById(getDb(), user.id))?.emailVerifiedAt ?? null;
  const steps: ProgressStep[] = withStates([
    {
      name: "email",
      title: "Confirm your email",
      isDone: user.emailVerified,
      at: verifiedAt,
      text: user.emailVerified ? user.email : `Follow the link in our message to ${user.email}.`,
    },
    {
      name: "csr",
      title: "Prepare key and CSR",
      isDone: isBegun,
      at: null,
      text: isBegun
        ? "The CSR is in your order."
        : "The portal makes both in your browser, or shows the commands for OpenSSL. The key never leaves your computer. About 2 minutes.",
    },
    {
      name: "ordered",
      title: "Order",
      isDone: false,
      at: null,
      text: "Choose for how many years. You need a colleague as authentication contact: another person with an email address of your company. You pay by invoice.",
    },
    {
      name: "contact",
      title: "Your contact authorises",
      isDone: false,
      at: null,
      text: "Your contact opens the link in our message, authorises the order and confirms. Then we check the organisation and issue the certificate.",
    },
  ]);
  return { steps, order };
}

export type FirstSteps = Awaited<ReturnType<typeof loadFirstCertificate>>;
