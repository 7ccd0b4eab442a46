import { ADMIN } from "../../support/administrator";
import { runCommand } from "../../support/command";
import { TEST_SECRETS } from "../../support/template";

/** Adds what a first start creates and the template lacks: the CRLs, the administrator and the first checkpoint of the audit trail. */
export async function finishTemplate(dataDir: string, databaseUrl = ""): Promise<void> {
  const { code, err } = await runCommand(["setup"], {
    NODE_ENV: "production",
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    ADMIN_PASSWORD: ADMIN.password,
    ...TEST_SECRETS,
  });
  if (code !== 0) throw new Error(`The data folder was not finished: ${err}`);
}
