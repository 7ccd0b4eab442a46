import { kdfRounds } from "~/ca/keys.server";
import { createAuthorities } from "~/domain/authorities/create.service.server";
import { renewResponders } from "~/domain/ocsp/responders.service.server";
import { closeDb, getConnection } from "~db/connection.server";
import { migrateToLatest } from "~db/migrate.server";

/**
 * Creates what every test file starts from, in the folder and the database that the variables name: a migrated database and a trial CA. Its
 * keys have 2048 bits and are encrypted with 2,048 rounds of PBKDF2 instead of 600,000, so that opening one takes a millisecond instead of
 * a fifth of a second. The tests of the authorities use keys that are created as in production.
 */
kdfRounds.replace(2048);
await migrateToLatest(getConnection());
await createAuthorities({ bits: 2048 });
await renewResponders();
await closeDb();
