import { ADMIN } from "../../support/administrator";
import { runCommand } from "../../support/command";
import { makeTemplate, TEST_SECRETS } from "../../support/template";

/**
 * Creates a template of a data folder and adds what a first start makes and the template lacks: the CRLs, the administrator and the first
 * checkpoint of the audit trail. `databaseUrl` is the PostgreSQL database, or "" for SQLite.
 */
export async function makePortalTemplate(databaseUrl = ""): ReturnType<typeof makeTemplate> {
  const template = await makeTemplate(databaseUrl);
  const { code, err } = await runCommand(["setup"], {
    NODE_ENV: "production",
    DATA_DIR: template.dir,
    DATABASE_URL: databaseUrl,
    ADMIN_PASSWORD: ADMIN.password,
    ...TEST_SECRETS,
  });
  if (code !== 0) throw new Error(`The data folder was not finished: ${err}`);
  return template;
}
