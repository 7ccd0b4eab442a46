import { isStaff } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { paths } from "~/lib/paths";
import { getDb } from "~db/connection.server";
import { findCertificate } from "~db/repositories/certificates.server";
import { findCode } from "~db/repositories/codes.server";
import { findDraftElsewhere, findLeftWithDraft } from "~db/repositories/drafts.server";
import { findInvoice } from "~db/repositories/invoices.server";
import { listCompaniesOf } from "~db/repositories/members.server";
import { findOrder } from "~db/repositories/orders.server";
import { type DraftKind } from "~db/tables";
import { type CompanyTask, mayAsMember } from "./roles.policy";

/** Something of another company of the user's than the one in which they work now. */
export interface Elsewhere {
  companyId: number;
  company: string;
  /** What it is, such as `certificate`. */
  what: string;
  /** Its page, which opens once the user works for that company. */
  to: string;
}

interface Owned {
  what: string;
  /** Returns the company that owns it, if there is such a thing. */
  companyOf: (id: number) => Promise<number | undefined>;
  to: (id: number) => string;
}

const OWNED = {
  certificate: {
    what: "certificate",
    companyOf: async (id) => (await findCertificate(getDb(), id))?.companyId,
    to: paths.certificateDetails,
  },
  order: {
    what: "order",
    companyOf: async (id) => (await findOrder(getDb(), id))?.companyId,
    to: paths.order,
  },
  code: {
    what: "ID code",
    companyOf: async (id) => (await findCode(getDb(), id))?.companyId,
    to: (code) => paths.codeDetails({ code }),
  },
  invoice: {
    what: "invoice",
    companyOf: async (id) => {
      const invoice = await findInvoice(getDb(), id);
      return invoice ? (await findOrder(getDb(), invoice.orderId))?.companyId : undefined;
    },
    to: paths.invoice,
  },
} as const satisfies Record<string, Owned>;

interface Begun {
  what: string;
  /** What the user must be allowed to do in that company. */
  task: CompanyTask;
  to: (draft: string) => string;
}

const BEGUN = {
  "certificate-purchase": {
    what: "order",
    task: "place-orders",
    to: (draft) => paths.certificateWizard("purchase", "invoice-address", draft),
  },
  "certificate-renewal": {
    what: "renewal",
    task: "prepare-renewals",
    to: (draft) => paths.certificateWizard("renew", "invoice-address", draft),
  },
  "code-purchase": {
    what: "order",
    task: "place-orders",
    to: (draft) => paths.codePurchase("invoice-address", draft),
  },
  "code-details": { what: "form", task: "see-company", to: (draft) => paths.codeDetails({ draft }) },
} as const satisfies Partial<Record<DraftKind, Begun>>;

type OwnedKind = keyof typeof OWNED;
type BegunKind = keyof typeof BEGUN;

/** Names something in an address: its kind and its id. */
export type ElsewhereName = `${OwnedKind}.${number}` | `${BegunKind}.${string}`;

async function findOwned(user: SessionUser, kind: OwnedKind, id: number): Promise<Elsewhere | null> {
  if (isStaff(user)) return null; // staff see what their rights show, wherever they work
  const { what, companyOf, to } = OWNED[kind];
  const companyId = await companyOf(id);
  if (companyId === undefined || companyId === user.companyId) return null;
  const company = (await listCompaniesOf(getDb(), user.id)).find((one) => one.id === companyId);
  return company ? { companyId, company: company.name, what, to: to(id) } : null;
}

async function findBegun(user: SessionUser, kind: BegunKind, id: string): Promise<Elsewhere | null> {
  const { what, task, to } = BEGUN[kind];
  const found = await findDraftElsewhere(getDb(), { id, userId: user.id, kind });
  return found && mayAsMember(found, task)
    ? { companyId: found.companyId, company: found.company, what, to: to(id) }
    : null;
}

/** Returns the kind and the id in a name, each "" when it is no such name. */
function partsOf(name: string | null): { kind: string; id: string } {
  const [, kind = "", id = ""] = /^([a-z-]+)\.([\w-]{1,22})$/.exec(name ?? "") ?? [];
  return { kind, id };
}

/**
 * Returns what a name in an address means, when it belongs to another company of the user's than the one in which they work now. Otherwise
 * returns null, so that strangers learn nothing. An administrator who acts as the user does not change the company.
 */
export async function findElsewhere(user: SessionUser, name: string | null): Promise<Elsewhere | null> {
  const { kind, id } = partsOf(name);
  if (user.impersonator || user.apiClient) return null;
  if (Object.hasOwn(OWNED, kind) && /^\d{1,9}$/.test(id)) return findOwned(user, kind as OwnedKind, Number(id));
  return Object.hasOwn(BEGUN, kind) ? findBegun(user, kind as BegunKind, id) : null;
}

/**
 * Returns a sentence about something that the user began for a company of which they are no longer a member, or null when the name in
 * the address means nothing of the kind.
 */
export async function whyLeftBehind(user: SessionUser, name: ElsewhereName): Promise<string | null> {
  const { kind, id } = partsOf(name);
  if (!Object.hasOwn(BEGUN, kind)) return null;
  const begun = kind as BegunKind;
  const company = await findLeftWithDraft(getDb(), { id, userId: user.id, kind: begun });
  return company && `You are no longer a member of ${company}, for which you began this ${BEGUN[begun].what}.`;
}
