import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { getDb } from "~db/connection.server";
import { expectDone, useAcmePortal } from "./acme-portal";

const portal = useAcmePortal(2);
const { folder, linesOf, run, shell, stateOf } = portal;

const place = ["--config-dir", "config", "--work-dir", "work", "--logs-dir", "logs"].map((part) =>
  part.startsWith("--") ? part : join(folder, part),
);
const certbot = (directory: string, ...args: string[]) =>
  run("certbot", ...args, ...place, "--non-interactive", "--server", directory);

/** Returns the latest certificate that certbot has stored for a name. */
const certificateOf = (name: string) =>
  new X509Certificate(readFileSync(join(folder, "config/live", name, "cert.pem")));

test("[API-03] certbot gets a certificate from nothing with the lines of the page, renews it with a new key, is told of the ceiling, and revokes it", async () => {
  const name = `www.${portal.domain()}`;
  const { lines, directory } = await linesOf("certbot", name);
  expectDone(await shell(`${lines} --preferred-challenges http --non-interactive ${place.join(" ")}`)); // nothing listens at a port
  const certificate = certificateOf(name);
  expect(certificate.subject.split("\n")).toEqual(["C=GB", "L=Coventry", "O=Example Parts Ltd", `CN=${name}`]);

  const renew = () => certbot(directory, "renew", "--force-renewal", "--no-random-sleep-on-renew");
  expectDone(await renew());
  const renewed = certificateOf(name);
  expect(renewed.serialNumber).not.toBe(certificate.serialNumber);
  expect(renewed.publicKey.equals(certificate.publicKey)).toBe(false);
  expect(await stateOf(certificate)).toMatchObject({ status: "Renewed" });
  const invoices = await getDb().selectFrom("invoices").select("id").execute();
  expect(invoices.length).toBeGreaterThanOrEqual(3); // with that of the order on which the authorisation is based

  const beyond = await renew();
  expect(beyond.isDone).toBe(false);
  expect(beyond.output).toContain("The ceiling of the standing authorisation is reached: 2 certificates.");

  const how = ["--cert-name", name, "--reason", "superseded", "--no-delete-after-revoke"];
  expectDone(await certbot(directory, "revoke", ...how));
  expect(await stateOf(renewed)).toEqual({ status: "Revoked", revocationReason: 4 });
});
