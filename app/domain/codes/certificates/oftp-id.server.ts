import { maySee, type RightsHolder } from "~/domain/accounts/rights.policy";
import { type Member } from "~/domain/companies/roles.policy";
import { certificatePaths } from "~/lib/certificate-paths";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { type CodeRow, findCodeByName } from "~db/repositories/codes.server";
import { fullCode, oftpIdentifier } from "../code-types";

/** An OFTP ID of the register (COD-05): the issuer of codes, a code, and `OD` or a sub-code with six zeros. */
const FORM = /^O0177([A-Z0-9]{4})(?:OD|([A-Z0-9]{2})000000)$/;

/** Returns the entity that an OFTP ID identifies, or null when the register has none. The case of letters is ignored. */
export async function findEntityByOftpId(db: DbOrTrx, oftpId: string | null): Promise<CodeRow | null> {
  const id = oftpId?.trim().toUpperCase() ?? "";
  const [, code, subcode = "00"] = FORM.exec(id) ?? [];
  if (code === undefined) return null;
  const entity = await findCodeByName(db, code, subcode === "00" ? "" : subcode);
  return entity && oftpIdentifier(entity) === id ? entity : null;
}

/**
 * Returns the entity of the register that the OFTP ID of a certificate identifies, for its page. Returns null when there is none, or when the
 * entity belongs to another company and the viewer is not staff.
 */
export async function entityOfCertificate(
  viewer: RightsHolder & Member,
  { ssid, companyId }: { ssid: string | null; companyId: number },
): Promise<{ text: string; href: string } | null> {
  const entity = await findEntityByOftpId(getDb(), ssid);
  if (!entity || !maySee(viewer, entity)) return null;
  const status = entity.status === "Registered" ? "" : `, ${entity.status.toLowerCase()}`;
  const whose = entity.companyId === companyId ? "" : ", which belongs to another company";
  return {
    text: `${fullCode(entity)}, ${entity.entityName}${status}${whose}`,
    href: certificatePaths.entity(entity.id),
  };
}
