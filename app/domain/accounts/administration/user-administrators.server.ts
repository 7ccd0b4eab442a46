import { type Actor } from "~/domain/audit/audit.service.server";
import { PortalError } from "~/lib/errors";
import { type Trx } from "~db/connection.server";
import { lockAdministrators } from "~db/repositories/user-administration.server";

/**
 * Locks the rows of the user administrators, so that concurrent decisions about them wait for this transaction, and returns their ids. Throws
 * a PortalError (403) when the actor is no longer one of them. The command line needs to be none.
 */
export async function lockAdministratorsFor(trx: Trx, { id }: Pick<Actor, "id">): Promise<number[]> {
  const administrators = await lockAdministrators(trx);
  if (id !== null && !administrators.includes(id))
    throw new PortalError("You are no longer a user administrator.", { code: "account.no-administrator", status: 403 });
  return administrators;
}
