import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pkcs11js from "pkcs11js";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { createAuthorities } from "~/domain/authorities/create.service.server";
import { getSigner } from "~/domain/authorities/signers.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { checkReadiness, lastReadiness } from "~/domain/jobs/readiness.service.server";
import { renewResponders } from "~/domain/ocsp/responders.service.server";
import { faultsAt } from "../support/alerts";
import { checksDone, createCertificateOrder, readCertificate } from "../support/certificates";
import { runCommand } from "../support/command";
import { createAdmin, createUser } from "../support/factories";
import { openssl, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { forgetAuthorities, forgetSigners, restartWith, TOKEN, useSoftHsm } from "../support/softhsm";

const { directory, env, hsm, slotOf, importKey, makeToken, restart } = useSoftHsm();
const { file, makeCsr } = useOpenssl();
const portal = usePortal(env);

beforeAll(async () => {
  await forgetAuthorities();
  restartWith({});
  await createAuthorities({ bits: 2048 });
});

beforeEach(() => {
  restart();
  restartWith(env);
});

const command = (args: string[], change: Record<string, string>) => runCommand(args, { ...portal.env, ...change });

/** Runs `work` while the token has another user PIN. */
async function withPin(pin: string, work: () => Promise<void>): Promise<void> {
  const session = () => hsm.C_OpenSession(slotOf(), pkcs11js.CKF_SERIAL_SESSION | pkcs11js.CKF_RW_SESSION);
  const first = session();
  hsm.C_Login(first, pkcs11js.CKU_USER, TOKEN.pin);
  hsm.C_SetPIN(first, TOKEN.pin, pin);
  hsm.C_CloseAllSessions(slotOf());
  await work().finally(() => hsm.C_SetPIN(session(), pin, TOKEN.pin));
}

describe("a PKCS #11 token that cannot be used", () => {
  test("[CAL-01] with a wrong PIN is tried once until the next start, and the PIN is not repeated", async () => {
    restartWith({ PKCS11_PIN: "another PIN" });
    const refusal = `PKCS11_PIN does not open the token '${TOKEN.label}' (CKR_PIN_INCORRECT). It is not tried again before the next start, so that the token does not lock itself.`;
    await expect(getSigner("issuing-sha2")).rejects.toMatchObject({ code: "wrong-pin", message: refusal });
    await withPin("another PIN", async () => {
      await expect(getSigner("issuing-g3")).rejects.toThrow(refusal); // although the PIN is right now
      forgetSigners();
      await getSigner("issuing-g3");
      forgetSigners();
    });
    const told = await command(["ca", "publish"], { PKCS11_PIN: "another PIN" });
    expect(told).toEqual({ code: 1, out: "", err: `portal: ${refusal}\n` });
  });

  test("[CAL-04] that is missing records nothing; readiness reports it, and approving again is enough", async () => {
    restartWith({ PKCS11_TOKEN: TOKEN.label });
    await renewResponders();
    restartWith({ PKCS11_TOKEN: "unplugged" });
    await expect(getSigner("issuing-sha2")).rejects.toThrow(
      "There is no token 'unplugged': see PKCS11_TOKEN, and whether it is plugged in.",
    );
    expect(await checkReadiness()).toEqual([
      "the key of issuing-sha2 cannot be used",
      "the key of issuing-g3 cannot be used",
    ]);
    expect(await faultsAt(new Date())).toEqual(
      expect.arrayContaining(["key-unusable issuing-g3", "key-unusable issuing-sha2"]),
    );
    const { id } = await createCertificateOrder(await createUser(), makeCsr().der, checksDone());
    const approver = await findSessionUser({ id: (await createAdmin()).id, epoch: 0 });
    if (!approver) throw new Error("The administrator is not there.");
    await expect(approveOrder(id, approver)).rejects.toThrow("There is no token 'unplugged'");
    expect(await readCertificate(id)).toMatchObject({ status: "Pending", tbsCertificate: null });

    restartWith({ PKCS11_TOKEN: TOKEN.label });
    lastReadiness.clear();
    expect(await checkReadiness()).toEqual([]);
    expect((await faultsAt(new Date())).filter((fault) => fault.startsWith("key-unusable"))).toEqual([]);
    expect((await approveOrder(id, approver)).status).toBe("Issued");
  });

  test("[CAL-01] without the key, or with another key of that label, is refused", async () => {
    makeToken("second");
    restart();
    restartWith({ PKCS11_TOKEN: "second" });
    const refusal = "The token 'second' does not hold the key 'issuing-sha2' of the certificate.";
    await expect(getSigner("issuing-sha2")).rejects.toThrow(refusal);
    await expect(createAuthorities({ bits: 2048 })).rejects.toThrow(
      "The key 'issuing-sha2' of the token 'second' is missing, but the database knows the CA 'issuing-sha2'.",
    );
    importKey("issuing-sha2", file("pem", openssl(["genpkey", "-algorithm", "RSA"])), "second");
    restart();
    await expect(getSigner("issuing-sha2")).rejects.toThrow(refusal);
  });

  test("[CAL-01] is refused when two tokens have one label", async () => {
    ["twins", "twins"].forEach(makeToken);
    restart();
    restartWith({ PKCS11_TOKEN: "twins" });
    await expect(getSigner("issuing-sha2")).rejects.toThrow("There are 2 tokens 'twins': see PKCS11_TOKEN.");
  });

  test("[CAL-01] is reported by name when the library is no library", async () => {
    const module = join(directory, "text.so");
    writeFileSync(module, "no library");
    const { code, err } = await command(["ca", "publish"], { PKCS11_MODULE: module });
    expect(code).toBe(1);
    expect(err).toMatch(new RegExp(`^portal: PKCS11_MODULE ${module} cannot be used: .*\n$`));
  });

  test("[CAL-01] needs the package only where a token is used, and the message says what to install", async () => {
    const hooks = join(directory, "hooks.mjs");
    writeFileSync(
      hooks,
      `export const resolve = (name, context, next) =>
        name === "pkcs11js" ? Promise.reject(Object.assign(new Error("missing"), { code: "ERR_MODULE_NOT_FOUND" })) : next(name, context);`,
    );
    const register = join(directory, "register.mjs");
    writeFileSync(register, `import { register } from "node:module"; register("file://${hooks}");`);
    const without = { NODE_OPTIONS: `--import ${register}` };
    const unused = { PKCS11_MODULE: "", PKCS11_TOKEN: "", PKCS11_PIN: "", PKCS11_AUTHORITIES: "" };
    expect(await command(["ca", "status"], { ...without, ...unused })).toMatchObject({ code: 0, err: "" });
    expect(await command(["ca", "publish"], without)).toEqual({
      code: 1,
      out: "",
      err: "portal: The package 'pkcs11js', by which PKCS11_MODULE is used, is not installed: run 'npm install' with optional dependencies, with python3, make and a C++ compiler at hand.\n",
    });
  });
});
