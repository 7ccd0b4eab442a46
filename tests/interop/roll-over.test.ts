import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { installTransfer } from "~/domain/authorities/install.service.server";
import { takeOver } from "~/domain/authorities/life.service.server";
import { type AuthorityName } from "~db/tables";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { serveRepository } from "../support/repository-server";
import { installSuccessor, OPERATOR, rootCrlRevoking, transferOf } from "../support/successors";
import { runTool } from "../support/tool";
import { gnutlsChecks } from "./gnutls";
import { authorityPem, buyCertificate, createPortalCa, signedInStaff } from "./issued";
import { compileValidator, javaChecks } from "./java";
import { fetchLists, type Material } from "./material";
import { nssChecks } from "./nss";
import { opensslChecks } from "./openssl";

const server = await serveRepository();
const portal = usePortal({ REPOSITORY_URL: server.url });
const { directory, makeCsr, file } = useOpenssl();

const FORMER = "issuing-sha2";
const NEXT = "issuing-sha2-2031";
const ALL = [...opensslChecks, ...gnutlsChecks, ...nssChecks, ...javaChecks];

/** The checks that look at the CRL of the root, too. */
const OF_CHAIN = [
  "openssl verify by base lists",
  "certutil by imported lists",
  "Java by the lists it fetches",
  "Java by base lists",
];
const checkOf = (name: string) => {
  const check = ALL.find((one) => one.name === name);
  if (!check) throw new Error(`There is no check '${name}'.`);
  return check;
};

const leaf = { former: "", next: "" };

/** Returns the files of a chain as they are published now. */
async function materialOf(issuing: AuthorityName): Promise<Material> {
  const lists = await fetchLists(directory, "root", issuing);
  const [root, issuer] = [join(directory, "root.ca.pem"), join(directory, `${issuing}.ca.pem`)];
  writeFileSync(root, await authorityPem("root"));
  writeFileSync(issuer, await authorityPem(issuing));
  return { ...lists, older: lists.base, directory, root, issuing: issuer };
}

beforeAll(async () => {
  await Promise.all([createPortalCa(portal.dataDir), compileValidator(directory)]);
  const staff = await signedInStaff();
  const buy = async () => file("pem", (await buyCertificate(makeCsr().pem, "sha2", staff)).pem);
  leaf.former = await buy();
  await installSuccessor(NEXT);
  await takeOver(NEXT, new Date(), OPERATOR);
  leaf.next = await buy();
});

describe("other tools, while one issuing CA follows another", () => {
  test.each(ALL.map((check) => [check.name, check] as const))(
    "[CAL-01][CAL-02] %s accepts certificates of both",
    async (_, check) => {
      expect(await check.verdict(leaf.former, await materialOf(FORMER))).toBe("good");
      expect(await check.verdict(leaf.next, await materialOf(NEXT))).toBe("good");
    },
  );
});

describe("other tools, after the root has revoked the former one", () => {
  beforeAll(async () => {
    await installTransfer(transferOf({ crls: [{ issuer: "root", pem: await rootCrlRevoking(FORMER) }] }), OPERATOR);
  });

  test.each(OF_CHAIN)("[CAL-01][CAL-03] %s refuses the certificates of the former one only", async (name) => {
    expect(await checkOf(name).verdict(leaf.former, await materialOf(FORMER))).toMatch(/revoked/i);
    expect(await checkOf(name).verdict(leaf.next, await materialOf(NEXT))).toBe("good");
  });

  test("[CAL-01][CAL-03] certtool refuses the former one by the root's CRL, and accepts the next one", async () => {
    for (const [issuing, says] of [
      [FORMER, /Not verified\. .*revoked/],
      [NEXT, /Chain verification output: Verified\./],
    ] as const) {
      const { root, issuing: issuer, rootList } = await materialOf(issuing);
      const chain = join(directory, "chain.pem");
      writeFileSync(chain, readFileSync(issuer, "utf8") + readFileSync(root, "utf8"));
      const options = ["--load-ca-certificate", root, "--load-crl", rootList, "--infile", chain];
      expect((await runTool("certtool", ["--verify", ...options])).text).toMatch(says);
    }
  });
});
