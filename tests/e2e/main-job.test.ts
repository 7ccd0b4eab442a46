import { describe, expect, test } from "vitest";
import { openssl, opensslFailure, useOpenssl } from "../support/openssl";
import { useBrowser, withScripts } from "./support/browser";
import {
  approve,
  authorise,
  buy,
  CN,
  completeRegistration,
  CUSTOMER,
  download,
  logIn,
  logOut,
  register,
  repositoryFile,
  revoke,
  statusOf,
  verifyEmail,
} from "./support/journey";

const state = useBrowser();
const files = useOpenssl();

describe(`the main job, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[REG-03] [CRD-05] [PUR-01] [PUR-10] [MAN-03] [CER-07] [REV-02] [REV-03] [REV-04] [CAL-02] [CAL-03] a company buys a certificate with a real CSR, staff issue it, it verifies, is revoked, and appears in the CRLs", async () => {
    const page = await state.open();
    await register(page, CUSTOMER);
    await completeRegistration(page);
    await verifyEmail(page, state.portal, CUSTOMER);
    await logOut(page);
    await logIn(page, CUSTOMER);

    const { pem } = files.makeCsr({
      subject: `/C=DE/L=Koeln/O=Example Parts GmbH/OU=EDI/CN=${CN}`,
      san: [`DNS:${CN}`],
    });
    const orderNumber = await buy(page, pem);
    expect(orderNumber).toMatch(/^SO-\d+$/);
    expect(await statusOf(page, CN)).toBe("Pending");

    await authorise(await state.open(), state.portal);
    const admin = await state.open();
    await logIn(admin);
    await approve(admin, orderNumber);
    expect(await statusOf(page, CN)).toBe("Issued");

    const leaf = files.file("pem", await download(page, CN));
    const issuing = files.file("pem", await download(page, CN, { certificateType: "issuing" }));
    const root = files.file("pem", await download(page, CN, { certificateType: "root" }));
    expect(await statusOf(page, CN)).toBe("Downloaded");
    const chain = ["-CAfile", root, "-untrusted", issuing];
    expect(openssl(["verify", ...chain, leaf])).toContain(": OK\n");

    const fetchList = async (name: string) =>
      files.file("pem", openssl(["crl", "-inform", "DER"], await repositoryFile(state.portal, name)));
    const checked = async () => [
      "verify",
      "-crl_check",
      "-CRLfile",
      await fetchList("issuing-sha2.crl"),
      ...chain,
      leaf,
    ];
    expect(openssl(await checked())).toContain(": OK\n");

    await revoke(page, CN, "Key Compromised");
    expect(await statusOf(page, CN)).toBe("Revoked");
    expect(opensslFailure(await checked())).toContain("certificate revoked");
    const delta = openssl(["crl", "-noout", "-text", "-in", await fetchList("issuing-sha2-delta.crl")]);
    expect(delta).toMatch(/Delta CRL Indicator: critical/);
    expect(delta).toMatch(/Key Compromise/);

    // Only the message about the revocation is sent before its answer. The job that delivers the others runs every few seconds.
    const mailsToCustomer = async () =>
      (await state.portal.mails()).filter((mail) => mail.to?.[0]?.address === CUSTOMER.email);
    await expect.poll(mailsToCustomer, { timeout: 90_000, interval: 500 }).toHaveLength(5);
  });
});
