import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { serveRepository } from "../support/repository-server";
import { gnutlsChecks, verifyList } from "./gnutls";
import { authorityPem, buyCertificate, createPortalCa, type Issued, revokeOnPage, signedInStaff } from "./issued";
import { compileValidator, javaChecks } from "./java";
import { type Check, derOf, fetchLists, type Material } from "./material";
import { importDelta, nssChecks } from "./nss";
import { opensslChecks } from "./openssl";

const server = await serveRepository();
const portal = usePortal({ REPOSITORY_URL: server.url });
const { directory, makeCsr, file } = useOpenssl();

const CHECKS = [...opensslChecks, ...gnutlsChecks, ...nssChecks, ...javaChecks].map(
  (check) => [check.name, check] as const,
);

beforeAll(async () => {
  await Promise.all([createPortalCa(portal.dataDir), compileValidator(directory)]);
});

/** Returns the verdict of a tool. Expects that the tool has sent requests to our server or, when it gets files, that it has not. */
async function verdict({ asks, verdict: check }: Check, leaf: string, material: Material): Promise<string> {
  const before = server.asked.length;
  const said = await check(leaf, material);
  const asked = server.asked.slice(before);
  if (asks) expect(asked.filter((path) => path.startsWith(asks))).not.toEqual([]);
  else expect(asked).toEqual([]);
  return said;
}

describe.each([
  ["sha2", "root", "issuing-sha2"],
  ["g3", "root-g3", "issuing-g3"],
] as const)("other tools and certificates of %s", (hierarchy, root, issuing) => {
  let material: Material;
  let bad: Issued;
  const leaf = { good: "", bad: "" };

  beforeAll(async () => {
    const staff = await signedInStaff();
    const buy = () => buyCertificate(makeCsr({ san: ["DNS:oftp.acme.example"] }).pem, hierarchy, staff);
    const good = await buy();
    bad = await buy();
    leaf.good = file("pem", good.pem);
    leaf.bad = file("pem", bad.pem);
    const lists = await fetchLists(directory, root, issuing);
    const older = join(directory, `${issuing}-older.pem`);
    cpSync(lists.base, older);
    cpSync(derOf(lists.base), derOf(older));
    const [rootFile, issuingFile] = [join(directory, `${root}.ca.pem`), join(directory, `${issuing}.ca.pem`)];
    writeFileSync(rootFile, await authorityPem(root));
    writeFileSync(issuingFile, await authorityPem(issuing));
    material = { ...lists, directory, root: rootFile, issuing: issuingFile, older };
  });

  describe("before a revocation", () => {
    test.each(CHECKS)("[CAL-02][CAL-03] %s accepts both", async (_, check) => {
      expect(await verdict(check, leaf.good, material)).toBe("good");
      expect(await verdict(check, leaf.bad, material)).toBe("good");
    });
  });

  describe("after one of them was revoked", () => {
    beforeAll(async () => {
      await revokeOnPage(bad);
      material = { ...material, ...(await fetchLists(directory, root, issuing)) };
    });

    test.each(CHECKS)("[CAL-02][CAL-03][REV-04] %s refuses that one and accepts the other", async (_, check) => {
      expect(await verdict(check, leaf.bad, material)).toBe("revoked");
      expect(await verdict(check, leaf.good, material)).toBe("good");
    });

    test("[CAL-03] certtool verifies the base and delta CRL, and neither for another CA", async () => {
      for (const list of [material.base, material.delta]) {
        expect(await verifyList(list, material.issuing)).toBe("Verified. The certificate is trusted.");
        expect(await verifyList(list, material.root)).toContain("Not verified.");
      }
      expect(await verifyList(material.rootList, material.root)).toBe("Verified. The certificate is trusted.");
    });

    test("[CAL-03] NSS does not support delta CRLs", async () => {
      expect(await importDelta(material)).toContain("SEC_ERROR_CRL_UNKNOWN_CRITICAL_EXTENSION");
    });
  });
});
