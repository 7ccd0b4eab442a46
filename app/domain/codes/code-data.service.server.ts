import { may, maySee } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { withClients } from "~/domain/companies/people.server";
import { hiddenFrom } from "~/domain/security-events/hidden.server";
import { notFound } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { type CalledPart } from "~db/keyset.server";
import { type Address, listAddresses } from "~db/repositories/addresses.server";
import { findWholeCode, listWholeCodes, type WholeCodeRow } from "~db/repositories/code-data.server";
import { type CodeStatus } from "~db/tables/codes";
import { type CodeContactForm } from "./code-contact.schema";
import { contactsOf } from "./code-contacts.server";

/** A stored code with its own addresses. An address is null when the code uses another one instead. */
export interface CodeData {
  /** `clientName` is the API client that registered it, or null. */
  row: WholeCodeRow & { clientName: string | null };
  physicalAddress: Address | null;
  mailingAddress: Address | null;
}

async function withAddresses(found: readonly WholeCodeRow[]): Promise<CodeData[]> {
  const rows = await withClients(found, "codeId", ({ id }) => id);
  const ids = rows.flatMap(({ physicalAddressId, mailingAddressId }) => [physicalAddressId, mailingAddressId]);
  const addresses = await listAddresses(
    getDb(),
    ids.filter((id) => id !== null),
  );
  const byId = new Map(addresses.map((address) => [address.id, address]));
  const find = (id: number | null) => (id === null ? null : (byId.get(id) ?? null));
  return rows.map((row) => ({
    row,
    physicalAddress: find(row.physicalAddressId),
    mailingAddress: find(row.mailingAddressId),
  }));
}

/**
 * Returns a part of the codes that this user may see: all for administrators, their own for others. They are in the order in which they were
 * registered or, with `updatedSince`, in that of their last change. A page past the end is empty.
 */
export async function listCodeData(
  user: SessionUser,
  { status, updatedSince, behind, page, size }: CalledPart<CodeStatus>,
) {
  const companyId = may(user, "see-customers") ? undefined : user.companyId;
  const part = { behind, offset: (page - 1) * size, limit: size };
  return withAddresses(await listWholeCodes(getDb(), { companyId, status, updatedSince }, part));
}

/** Returns one code with its contacts. Throws a PortalError (404) when the code does not exist or belongs to somebody else. */
export async function getCodeData(user: SessionUser, id: number): Promise<CodeData & { contacts: CodeContactForm[] }> {
  const row = await findWholeCode(getDb(), id);
  if (!row) throw notFound();
  if (!maySee(user, row)) throw hiddenFrom(user);
  const [data] = await withAddresses([row]);
  if (!data) throw notFound();
  return { ...data, contacts: await contactsOf(getDb(), id) };
}
