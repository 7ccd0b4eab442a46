import { hostsOfCommonName } from "~/ca/names/common-name.server";
import { isConfirmedHost } from "~/ca/names/domain-control.server";
import { readSubjectNames } from "~/domain/certificates/request/subject-names.server";
import { basisOf } from "~/domain/certificates/standing/judging.server";
import { listsOf } from "~/domain/certificates/standing/standing.policy";
import { getDb } from "~db/connection.server";
import { type StandingRow } from "~db/repositories/standing-authorisations.server";
import { type ClientLines, clientLines } from "./client-lines";
import { type ShownAcmeKey } from "./keys";

/**
 * Returns a host for which a program can order under a standing authorisation: one of the certificate on which that is based, or else one of
 * its first domain.
 */
async function firstHost(row: StandingRow): Promise<string> {
  const { domains } = listsOf(row);
  const { commonName, subjectAlternateName } = await basisOf(getDb(), row);
  const names = readSubjectNames(subjectAlternateName).filter(({ type }) => type === "dns");
  const hosts = [
    ...names.map(({ value }) => value.toLowerCase()),
    ...hostsOfCommonName(commonName).map(({ host }) => host),
  ];
  const covered = hosts.find((host) => !host.startsWith("*.") && isConfirmedHost(host, domains));
  const [first] = domains;
  if (covered !== undefined || !first) return covered ?? "www.example.com";
  return first.isHostOnly ? first.name : `www.${first.name}`;
}

/** Returns the lines with which the common ACME clients use a key of a standing authorisation. */
export const linesUnder = async (row: StandingRow, key: ShownAcmeKey): Promise<ClientLines[]> =>
  clientLines({ ...key, host: await firstHost(row) });
