import { getDiffieHellman } from "node:crypto";
import { checkIssuedCertificate } from "~/ca/certificate/check.server";
import { newSerial } from "~/ca/certificate/encode.server";
import { prepareCertificate } from "~/ca/certificate/prepare.server";
import { certifiedNames } from "~/ca/certificate/profile.server";
import { buildCrl } from "~/ca/crl/build.server";
import { checkKey } from "~/ca/csr/check-key.server";
import { checkNames } from "~/ca/csr/check-names.server";
import { checkSubject } from "~/ca/csr/check-subject.server";
import { type RuleCode } from "~/ca/csr/rules/catalogue";
import { verifyCsrSignature } from "~/ca/csr/signature.server";
import { createIssuingCertificate, createRootCertificate } from "~/ca/hierarchies.server";
import { checkNameLimits, checkPurposeLimits, limitTexts } from "~/ca/names/issuer-limits.server";
import { hostProblem } from "~/ca/names/name-policy.server";
import { findNonceAtEnd } from "~/ca/ocsp/nonce.server";
import { prepareResponderCertificate } from "~/ca/ocsp/responder-certificate.server";
import { type AlternateNameType } from "~/ca/x509/general-names.server";
import { FIRST_AUTHORITIES } from "~/domain/authorities/catalogue";
import { readCrlContent } from "~/domain/authorities/crl-content.server";
import { crlLife } from "~/domain/authorities/crl-life";
import { rootKeysHere } from "~/domain/authorities/key-files.server";
import { keyStoreOf } from "~/domain/authorities/key-stores.server";
import { issuerOfNew, authorityLife, mayRenewUntil } from "~/domain/authorities/life.policy";
import { stopRenewals, takeOver } from "~/domain/authorities/life.service.server";
import { requireOwnSigner } from "~/domain/authorities/own-signer.server";
import { KEY_KINDS, PASSPHRASE_VARIABLES } from "~/domain/authorities/passphrases.server";
import { publishCrls, publishDelta } from "~/domain/authorities/publishing.service.server";
import { dropReplacedCrls, pruneCrls } from "~/domain/authorities/renewal.service.server";
import { askForSignature, sendGrant, sendStandingGrant } from "~/domain/authorities/signer-client.server";
import { getSigner } from "~/domain/authorities/signers.server";
import { sendExpiryReminders } from "~/domain/certificates/catalogue/reminder.service.server";
import { whyNotRenew, whyNotRevoke } from "~/domain/certificates/certificates.policy";
import { requireAcceptableCsr } from "~/domain/certificates/issuing/approval.server";
import { finishInterruptedIssuing } from "~/domain/certificates/issuing/finishing.server";
import { requireNoLintErrors } from "~/domain/certificates/issuing/lints.server";
import { recordApprovals } from "~/domain/certificates/issuing/recording.server";
import { publishRenewals } from "~/domain/certificates/partners/following.service.server";
import { publishToPartners } from "~/domain/certificates/partners/publishing.service.server";
import { remindPartners } from "~/domain/certificates/partners/reminders.service.server";
import { failedCriteria, hasOtherDomain } from "~/domain/certificates/purchase/contact.policy";
import { lacksTerms } from "~/domain/certificates/purchase/purchase.policy";
import { answerAuthorisation } from "~/domain/certificates/queue/authorisation.service.server";
import { type CheckName, missingForApproval, type OrderChecks } from "~/domain/certificates/queue/checks.policy";
import { cancelOrder, recordChecks, rejectOrder } from "~/domain/certificates/queue/decisions.service.server";
import { readCsrInput, refusedCsr } from "~/domain/certificates/request/csr-import.service.server";
import { recordCompromise } from "~/domain/certificates/revocation/compromise.service.server";
import { keyChallenge } from "~/domain/certificates/revocation/key-proof/challenge.server";
import { reportKey, requireKeyProof } from "~/domain/certificates/revocation/key-proof/key-proof.service.server";
import { publishRevocation } from "~/domain/certificates/revocation/publishing.server";
import { planRevocation } from "~/domain/certificates/revocation/revocation.policy";
import { blockCompromised, revokeOthersOfKey } from "~/domain/certificates/revocation/storage.server";
import { findOriginal } from "~/domain/certificates/succession/original.server";
import { reissueCertificate } from "~/domain/certificates/succession/reissue.service.server";
import { differencesRule, newKeyRule } from "~/domain/certificates/succession/successor-csr.server";
import { JOBS } from "~/domain/jobs/catalogue.server";
import { blockBrokenKeys } from "~/domain/keys/broken-keys.service.server";
import { importKeyList } from "~/domain/keys/import.service.server";
import { refusalsByFacts, relatedKeyRefusals } from "~/domain/keys/key-rules.server";
import { isCertifiedForAnother, isOfOtherSubject, type KeyHolder } from "~/domain/keys/key-use.policy";
import { listPublishedKeys } from "~/domain/keys/published-keys.service.server";
import {
  certificateIssuedMail,
  certificateRevokedMail,
  issuerRevokedMail,
} from "~/domain/mail/templates/certificates.server";
import { orderRejectedMail } from "~/domain/mail/templates/orders.server";
import { isRightStill, ocspResponder } from "~/domain/ocsp/answer.service.server";
import { renewResponders } from "~/domain/ocsp/responders.service.server";
import { statusReader } from "~/domain/ocsp/status.server";
import { correctOrder } from "~/domain/orders/corrections/corrections.service.server";
import { recordCorrection } from "~/domain/orders/corrections/record.server";
import { certificatePrice } from "~/domain/orders/price.policy";
import { measureStatus } from "~/domain/status/measuring.service.server";
import { readStatus } from "~/domain/status/status.service.server";
import { allowedNames } from "~/lib/allowed-names.server";
import { getConfig } from "~/lib/config.server";
import { getEnv } from "~/lib/env.server";
import { NAME_CLASS_NAMES, type NameClass } from "~/lib/name-classes";
import { whyNotCovered } from "~/signer/standing-scope.server";
import { isPublished } from "../published.service.server";
import { listRepository } from "../repository.service.server";
import { POLICIES } from "./catalogue";
import { type Facts, keptBy } from "./fact";

const PASSED: OrderChecks = {
  contactAnswer: "authorised",
  organisationCheckedAt: "2026-01-01",
  csrCheckedAt: "2026-01-01",
  emailVerifiedAt: "2026-01-01",
};

/** Returns whether an order that lacks this check alone is not approved. */
const isNeeded = (lacking: Partial<OrderChecks>) => () =>
  missingForApproval({ ...PASSED, ...lacking }).length > 0 && missingForApproval(PASSED).length === 0;

const CHECKS: Readonly<Record<CheckName, Partial<OrderChecks>>> = {
  contact: { contactAnswer: null },
  organisation: { organisationCheckedAt: null },
  csr: { csrCheckedAt: null },
  email: { emailVerifiedAt: null },
};

const checks = (): Facts => ({
  ...Object.fromEntries(Object.entries(CHECKS).map(([name, lacking]) => [`check.${name}`, isNeeded(lacking)])),
  "check.all": () => Object.values(CHECKS).every((lacking) => isNeeded(lacking)()),
  "check.refusal": isNeeded({ contactAnswer: "refused" }),
});

/** Returns whether an authentication contact with this address is refused. */
function refusesContact(email: string): boolean {
  const { freeMailDomains, roleMailboxes } = getConfig().accounts;
  const rules = {
    technicalEmail: "anna@company.example",
    preparers: [],
    actingEmails: [],
    freeMailDomains,
    roleMailboxes,
  };
  return failedCriteria(email, rules).length > 0;
}

const contacts = (): Facts => ({
  "contact.other-person": () => refusesContact("anna@company.example") && !refusesContact("ben@company.example"),
  "contact.no-free-mail": () =>
    getConfig().accounts.freeMailDomains.length > 0 &&
    getConfig().accounts.freeMailDomains.every((domain) => refusesContact(`ben@${domain}`)),
  "contact.no-shared-mailbox": () =>
    getConfig().accounts.roleMailboxes.length > 0 &&
    getConfig().accounts.roleMailboxes.every((mailbox) => refusesContact(`${mailbox}@company.example`)),
  "contact.domain-shown": () => hasOtherDomain("ben@other.example", "anna@company.example"),
  "contact.link": keptBy(answerAuthorisation),
});

/** A prime of 2048 bits (RFC 3526). */
const prime = () => BigInt(`0x${getDiffieHellman("modp14").getPrime("hex")}`);
/** A prime of 1024 bits (RFC 2409). */
const shorterPrime = () => BigInt(`0x${getDiffieHellman("modp2").getPrime("hex")}`);

/** Returns whether the rules refuse an RSA key for this reason. */
function refusesKey(code: string, modulus: bigint, exponent = 65537n): boolean {
  const key = { algorithm: "RSA" as const, bits: modulus.toString(2).length, modulus, exponent };
  return checkKey(key, { keyAlgorithms: ["RSA"] }).some((refusal) => refusal.code === code);
}

/** A modulus of 2048 bits that is 1, a power of 65537, modulo every small prime. */
function rocaModulus(): bigint {
  let product = 1n;
  for (let odd = 3n; odd < 168n; odd += 2n) product *= odd;
  return ((1n << 2047n) / product + 1n) * product + 1n;
}

const COUNTRY = { oid: "2.5.4.6", type: "C" };
const COMMON_NAME = { oid: "2.5.4.3", type: "CN" };

/** Returns whether the rules refuse a subject with this attribute for this reason. */
const refusesSubject = (code: string, attribute: { oid: string; type: string }, value: string) => () =>
  checkSubject([{ ...attribute, value }], new Set(["DE"])).some((refusal) => refusal.code === code);

/** Returns whether the rules refuse each of these alternative names for this reason. */
const refusesForms =
  (code: RuleCode, type: AlternateNameType, ...values: readonly string[]) =>
  () =>
    values.every((value) =>
      checkNames([{ type, value }], { allowedNames: [] }).some((refusal) => refusal.code === code),
    );

const LONG_PART = "a".repeat(64);

/** A host of each class of names. */
const HOSTS: Readonly<Record<NameClass, string>> = {
  "special-use": "localhost",
  internal: "a.internal",
  "single-label": "a",
  "public-suffix": "co.uk",
  "private-address": "10.0.0.1",
  "special-address": "127.0.0.1",
  documentation: "a.example",
};

/** Returns whether the policy of names refuses exactly the classes that the documents say. */
function refusesNames(): boolean {
  const policy = { allowedNames: allowedNames() };
  return NAME_CLASS_NAMES.every(
    (name) => (hostProblem(HOSTS[name], policy) === null) === policy.allowedNames.includes(name),
  );
}

const HOLDER: KeyHolder = {
  id: 1,
  orderId: 1,
  userId: 1,
  companyId: 1,
  status: "Issued",
  isCertified: true,
  commonName: "a",
  organisation: "a",
  country: "DE",
};
const SUBJECT = { commonName: "b", organisation: "a", country: "DE" };

const requests = (): Facts => ({
  "csr.signature": keptBy(verifyCsrSignature),
  "csr.checked-again": keptBy(requireAcceptableCsr),
  "csr.names-rule": keptBy(refusedCsr),
  "csr.no-private-key": () => !readCsrInput("-----BEGIN PRIVATE KEY-----").read.ok,
  "csr.required": refusesSubject("subject-required", COUNTRY, "DE"),
  "csr.country": refusesSubject("subject-country", COUNTRY, "ZZ"),
  "csr.other-countries": () => getConfig().certificates.otherCountries.length > 0,
  "csr.lengths": refusesSubject("subject-length", COMMON_NAME, "a".repeat(1000)),
  "csr.characters": refusesSubject("subject-characters", COMMON_NAME, "a\u202Eb"),
  "csr.scripts": refusesSubject("subject-scripts", COMMON_NAME, "p\u0430ypal"),
  "csr.dns-form": () =>
    refusesForms("dns-invalid", "dns", "a_b.acme.com", "a..acme.com")() &&
    refusesForms("dns-length", "dns", `${LONG_PART}.com`, `${"a.".repeat(126)}com`)() &&
    refusesForms("dns-trailing-dot", "dns", "acme.com.")(),
  "csr.dns-international": () =>
    refusesForms("dns-ascii", "dns", "m\u00fcnchen.de")() &&
    refusesForms("dns-punycode", "dns", "xn--zzzzzz99999.com")(),
  "csr.wildcards": refusesForms("dns-wildcard", "dns", "a.*.acme.com", "a*.acme.com", "*.com"),
  "csr.other-forms": () =>
    refusesForms("rfc822-invalid", "rfc822", "acme.com")() &&
    refusesForms("uri-invalid", "uri", "javascript:1", "https://*.acme.com/")() &&
    refusesForms("ssid-invalid", "ssid", "no OFTP ID")(),
  "csr.names": keptBy(certifiedNames),
  "names.refused": refusesNames,
  "names.allowed": () => allowedNames().length > 0,
  "key.exponent": () =>
    refusesKey("key-exponent", rocaModulus(), 3n) && refusesKey("key-exponent", rocaModulus(), 65538n),
  "key.size": () => refusesKey("key-size", shorterPrime()),
  "key.small-factor": keptBy(relatedKeyRefusals),
  "key.prime": () => refusesKey("key-prime-modulus", prime()),
  "key.close-primes": () => refusesKey("key-close-primes", shorterPrime() ** 2n),
  "key.roca": () => refusesKey("key-roca", rocaModulus()),
  "key.listed": () =>
    refusalsByFacts({ holders: [], isBlocked: false, list: "a" }, { subject: SUBJECT }, 1).length > 0 &&
    keptBy(importKeyList, listPublishedKeys)(),
  "key.blocked": () =>
    refusalsByFacts({ holders: [], isBlocked: true, list: null }, { subject: SUBJECT }, 1).length > 0,
  "key.one-subject": () => isOfOtherSubject(HOLDER, SUBJECT) && !isOfOtherSubject(HOLDER, HOLDER),
  "key.one-company": () => isCertifiedForAnother(HOLDER, 2) && !isCertifiedForAnother(HOLDER, 1),
  "key.shared-prime": keptBy(blockBrokenKeys),
});

const issuing = (): Facts => ({
  "order.terms-accepted": () => lacksTerms(1, { userId: 1, handedOverAt: null, data: {} }),
  "order.price-shown": keptBy(certificatePrice),
  "order.checks-recorded": keptBy(recordChecks),
  "order.rejected": keptBy(rejectOrder, orderRejectedMail),
  "order.cancelled": keptBy(cancelOrder),
  "issuing.linted": keptBy(requireNoLintErrors),
  "issuing.recorded": keptBy(recordApprovals),
  "issuing.checked": keptBy(checkIssuedCertificate),
  "issuing.finished": keptBy(finishInterruptedIssuing),
  "issuing.serial": keptBy(newSerial),
  "issuing.mail": keptBy(certificateIssuedMail),
  "profile.certificate": keptBy(prepareCertificate),
  "profile.authorities": keptBy(createRootCertificate, createIssuingCertificate),
  "profile.limits": keptBy(checkNameLimits, checkPurposeLimits),
  "repository.limits": keptBy(limitTexts),
  "authorities.new-orders": keptBy(issuerOfNew, takeOver),
  "authorities.renewals": keptBy(mayRenewUntil, stopRenewals),
  "authorities.compromise": keptBy(recordCompromise, issuerRevokedMail),
  "repository.authorities": keptBy(listRepository, authorityLife),
  "profile.crl": keptBy(buildCrl),
  "profile.ocsp": keptBy(prepareResponderCertificate, findNonceAtEnd),
  "renewal.compared": keptBy(differencesRule),
  "renewal.new-key": keptBy(newKeyRule),
  "renewal.original": keptBy(findOriginal),
  "renewal.not-revoked": () => {
    const window = { renewalsFromDays: 9, renewalsUntilDays: 9 };
    return whyNotRenew({ status: "Revoked", expiryDate: "2026-01-01" }, window, new Date("2026-01-01")) !== null;
  },
  reminders: keptBy(sendExpiryReminders),
  reissue: keptBy(reissueCertificate),
  "order.corrected": keptBy(correctOrder, recordCorrection),
});

const revocation = (): Facts => ({
  "revocation.once": () => whyNotRevoke("Revoked") !== null,
  "revocation.planned": () => {
    const now = new Date();
    const [past, future] = [new Date(now.getTime() - 60_000), new Date(now.getTime() + 60_000)];
    return planRevocation(past, now).invalidityDate !== null && planRevocation(future, now).isScheduled;
  },
  "revocation.published": keptBy(publishRevocation),
  "revocation.blocks-key": keptBy(blockCompromised),
  "revocation.key-proof": keptBy(requireKeyProof, reportKey, keyChallenge),
  "revocation.all-of-key": keptBy(revokeOthersOfKey),
  "revocation.mail": keptBy(certificateRevokedMail),
  "crl.published": keptBy(publishCrls, publishDelta),
  "status.measured": keptBy(measureStatus, readStatus),
  "crl.roots-by-hand": () => crlLife({ isRoot: true }, false).renewAfterMs === null,
  "crl.entries-leave": keptBy(readCrlContent),
  "crl.kept": keptBy(dropReplacedCrls, pruneCrls),
  "ocsp.answers": keptBy(ocspResponder),
  "ocsp.same-records": keptBy(statusReader),
  "ocsp.scheduled": keptBy(isRightStill),
  "ocsp.responders": keptBy(renewResponders),
});

/** The authorities whose keys are in files, and those whose keys are on a token. */
const keys = (): Facts => {
  const onToken = FIRST_AUTHORITIES.filter(({ name }) => getEnv().pkcs11?.authorities.includes(name));
  return {
    "keys.files": () => onToken.length < FIRST_AUTHORITIES.length && getEnv().needsCaPassphrase,
    "keys.token": () => onToken.length > 0,
    "keys.roots-apart": keptBy(getSigner, keyStoreOf),
    "keys.portal": () => getEnv().signerWay === undefined && keptBy(getSigner, keyStoreOf)(),
    "keys.signer": () => getEnv().signerWay !== undefined && keptBy(askForSignature)(),
    "keys.signer-apart": () => !getEnv().needsCaPassphrase && keptBy(askForSignature)(),
    "keys.signer-own": () => getEnv().startsSigner && keptBy(requireOwnSigner)(),
    "keys.signer-word": () =>
      getEnv().signerWay !== undefined && !getEnv().signer.needsGrants && keptBy(askForSignature)(),
    "keys.granted": () => getEnv().signerWay !== undefined && getEnv().signer.needsGrants && keptBy(sendGrant)(),
    "keys.standing-granted": () =>
      getEnv().signerWay !== undefined && getEnv().signer.needsGrants && keptBy(sendStandingGrant, whyNotCovered)(),
    "keys.roots-elsewhere": keptBy(rootKeysHere),
    "keys.passphrases": () => new Set(Object.values(PASSPHRASE_VARIABLES)).size === KEY_KINDS.length,
  };
};

/** What the repository serves, and under which names. */
const repository = (): Facts => ({
  "repository.addresses": () =>
    FIRST_AUTHORITIES.every(({ name }) => isPublished(`${name}.cer`) && isPublished(`${name}.crl`)) &&
    POLICIES.every(({ name, file }) => file === `${name}.pdf`),
  "repository.no-subscribers": () => !isPublished("1.cer"),
  "partners.told": keptBy(publishToPartners, publishRenewals),
  "partners.reminded": keptBy(remindPartners),
});

/** Work that the portal does by itself, by the name of its job. */
const jobs = (): Facts => Object.fromEntries(JOBS.map(({ name, run }) => [`job.${name}`, keptBy(run)]));

/** Returns the facts about certificates: what is checked, issued, renewed and revoked, and how. */
export const factsOfCertificates = (): Facts => ({
  ...checks(),
  ...contacts(),
  ...requests(),
  ...issuing(),
  ...revocation(),
  ...keys(),
  ...repository(),
  ...jobs(),
});
