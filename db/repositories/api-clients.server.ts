import { type DbOrTrx, type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

/** Selects clients with their company and the person who answers for them, as far as it decides whether that person still may. */
const selectClients = (db: DbOrTrx) =>
  db
    .selectFrom("apiClients")
    .innerJoin("users", "users.id", "apiClients.responsibleId")
    .leftJoin("companies", "companies.id", "apiClients.companyId")
    .selectAll("apiClients")
    .select(["companies.name as company", "users.email as responsibleEmail", "users.isAdmin"])
    .select(["users.firstName", "users.lastName", "users.isDisabled", "users.adminLockedAt"])
    .select((eb) => [
      eb
        .selectFrom("memberships")
        .select("memberships.role")
        .whereRef("memberships.companyId", "=", "apiClients.companyId")
        .whereRef("memberships.userId", "=", "users.id")
        .as("role"),
      eb
        .selectFrom("userRights")
        .select("userRights.right")
        .where("userRights.right", "=", "user-administrator")
        .whereRef("userRights.userId", "=", "users.id")
        .as("right"),
    ]);

export type ApiClientRow = NonNullable<Awaited<ReturnType<typeof findApiClient>>>;

export const findApiClient = async (db: DbOrTrx, id: number) =>
  (await selectClients(db).where("apiClients.id", "=", id).executeTakeFirst()) ?? null;

/** Returns the client with this public name, or null. */
export const findApiClientByName = async (db: DbOrTrx, clientId: string): Promise<ApiClientRow | null> =>
  (await selectClients(db).where("apiClients.clientId", "=", clientId).executeTakeFirst()) ?? null;

/** Returns the clients of a company, or with null those of staff, oldest first. */
export const listApiClients = (db: DbOrTrx, companyId: number | null): Promise<ApiClientRow[]> =>
  selectClients(db).where("apiClients.companyId", "is not distinct from", companyId).orderBy("apiClients.id").execute();

/** Returns the clients for which a person answers and which were not revoked, by company, those of staff first, and oldest first. */
export const listClientsAnsweredBy = async (db: DbOrTrx, userId: number): Promise<ApiClientRow[]> => {
  const query = selectClients(db).where("apiClients.responsibleId", "=", userId);
  const rows = await query.where("apiClients.revokedAt", "is", null).orderBy("apiClients.id").execute();
  return rows.sort((one, other) => (one.companyId ?? 0) - (other.companyId ?? 0));
};

export const insertApiClient = async (trx: Trx, client: NewRow<"apiClients">): Promise<number> =>
  (await trx.insertInto("apiClients").values(client).returning("id").executeTakeFirstOrThrow()).id;

type Change = Partial<
  Pick<NewRow<"apiClients">, "name" | "scopes" | "networks" | "endsAt" | "responsibleId" | "revokedAt">
>;

/** Changes a client that is not revoked. Returns false when it is. */
export async function updateApiClient(trx: Trx, id: number, change: Change): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("apiClients")
    .set(change)
    .where("id", "=", id)
    .where("revokedAt", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export type SecretRow = Row<"apiClientSecrets">;

export const insertSecret = async (trx: Trx, secret: NewRow<"apiClientSecrets">): Promise<number> =>
  (await trx.insertInto("apiClientSecrets").values(secret).returning("id").executeTakeFirstOrThrow()).id;

/** Returns all secrets of these clients, oldest first, also those that have ended. */
export const listSecrets = (db: DbOrTrx, apiClientIds: readonly number[]): Promise<SecretRow[]> =>
  apiClientIds.length === 0
    ? Promise.resolve([])
    : db.selectFrom("apiClientSecrets").selectAll().where("apiClientId", "in", apiClientIds).orderBy("id").execute();

/** Returns the secret of a client with this hash, also one that has ended, or null. */
export const findSecret = async (db: DbOrTrx, apiClientId: number, secretHash: string): Promise<SecretRow | null> =>
  (await db
    .selectFrom("apiClientSecrets")
    .selectAll()
    .where("apiClientId", "=", apiClientId)
    .where("secretHash", "=", secretHash)
    .executeTakeFirst()) ?? null;

/** Sets when secrets end that would be valid for longer. */
export async function endSecrets(trx: Trx, ids: readonly number[], endsAt: Date): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable("apiClientSecrets")
    .set({ endsAt })
    .where("id", "in", ids)
    .where((eb) => eb.or([eb("endsAt", "is", null), eb("endsAt", ">", endsAt.toISOString())]))
    .execute();
}

export async function insertClientToken(trx: Trx, token: NewRow<"apiClientTokens">): Promise<void> {
  await trx.insertInto("apiClientTokens").values(token).execute();
}

/** Returns the token with this hash, the client and the end of the secret, whether they are still valid or not; null when there is none. */
export const findClientToken = async (db: DbOrTrx, tokenHash: string) =>
  (await db
    .selectFrom("apiClientTokens")
    .innerJoin("apiClientSecrets", "apiClientSecrets.id", "apiClientTokens.secretId")
    .select(["apiClientTokens.scopes", "apiClientTokens.expiresAt"])
    .select(["apiClientSecrets.apiClientId", "apiClientSecrets.endsAt as secretEndsAt"])
    .select("apiClientSecrets.createdBy as secretBy")
    .where("tokenHash", "=", tokenHash)
    .executeTakeFirst()) ?? null;

/** Records when a secret was used last. */
export async function storeSecretUse(trx: Trx, id: number, lastUsedAt: Date): Promise<void> {
  await trx.updateTable("apiClientSecrets").set({ lastUsedAt }).where("id", "=", id).execute();
}

/** Records when and from where a client was used last. Does nothing when that was recorded since `before`. */
export async function storeClientUse(
  db: DbOrTrx,
  id: number,
  { address, now }: { address: string; now: Date },
  before: Date,
): Promise<void> {
  await db
    .updateTable("apiClients")
    .set({ lastUsedAt: now, lastUsedAddress: address })
    .where("id", "=", id)
    .where((eb) => eb.or([eb("lastUsedAt", "is", null), eb("lastUsedAt", "<=", before.toISOString())]))
    .execute();
}
