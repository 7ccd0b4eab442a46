import { formatDate } from "~/lib/dates";
import { paths } from "~/lib/paths";
import { USAGE_FLAGS, USAGE_LABELS } from "../purchase/fields";
import { detailsToPrepare } from "../purchase/make-csr.server";
import { namesOfOrder } from "../request/certified-names.server";
import { captionedNames } from "../request/subject-names.server";
import { withoutSsid } from "./correction-csr.server";
import { SUPERSEDED_AFTER_DAYS } from "./correction.policy";
import { type Preceding } from "./original.server";

/** Returns what the page shows on which a customer corrects a certificate: its texts, and the certificate as it is. */
export function correctionView(preceding: Preceding) {
  const { row } = preceding;
  const { id, commonName, organisation, locality, country, ssid } = row;
  const usage = USAGE_FLAGS.filter((flag) => row[flag]);
  return {
    id,
    title: "Correct certificate",
    question: `Do you want to order this correction of certificate ${id}, free of charge? The contact and our staff check it like every order. Certificate ${id} is revoked when the new one is downloaded, at the latest ${SUPERSEDED_AFTER_DAYS} days after its issue.`,
    paragraphs: [
      `Certificate ${id} for ${commonName} is ordered again, with another host or usage, free of charge. The new one ends on the same day, ${formatDate(row.expiryDate)}. Hosts must be below the domains that your company has confirmed. Organisation, place, country and OFTP ID stay the same.`,
      "The new certificate needs a new key. Create it and a CSR with the corrected host; for another usage only, with the same host.",
      `The order passes the checks of every order: the contact authorises it, and staff check the CSR. Once you have downloaded the new certificate, at the latest ${SUPERSEDED_AFTER_DAYS} days after its issue, certificate ${id} is revoked as superseded.`,
    ],
    facts: [
      { term: "Common name", detail: commonName },
      ...captionedNames(withoutSsid(namesOfOrder(row))).map(({ caption, values }) => ({
        term: caption,
        detail: values.join(", "),
      })),
      { term: "Usage", detail: usage.map((flag) => USAGE_LABELS[flag]).join(", ") },
      { term: "Organisation, place, country", detail: [organisation, locality, country].filter(Boolean).join(", ") },
      { term: "OFTP ID", detail: ssid ?? "" },
    ],
    /** The ticked boxes, by name. */
    usage: Object.fromEntries(usage.map((flag) => [flag, "on"])),
    usages: USAGE_FLAGS.map((name) => ({ name, label: USAGE_LABELS[name] })),
    prepareUrl: paths.prepareCsr(detailsToPrepare(preceding)),
  };
}
