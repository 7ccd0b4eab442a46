import { certificatePaths } from "~/lib/certificate-paths";
import { serverPaths } from "~/lib/server-paths.server";
import { COMMON_NAME, type Examples, linkTo, TOKEN } from "./example.server";

/** Returns the example data of the messages to the partners of a certificate, and about them. */
export const partnerExamples = () => {
  const about = { name: "Anna", commonName: COMMON_NAME, url: linkTo(certificatePaths.partners(1001)) };
  return {
    partnerCertificateMail: [
      {
        kind: "partner-certificate",
        title: "",
        reader: "contact",
        data: {
          company: "Example Parts Ltd",
          by: "Anna Müller (anna.mueller@example-parts.com)",
          commonName: COMMON_NAME,
          serialNumber: "3F:A4:C1:D2:0B:5E:6F:70:81:92:A3:B4:C5:D6:E7:F8",
          sha256: Array.from({ length: 32 }, () => "A1").join(":"),
          startDate: "2026-11-20T09:30:00Z",
          expiryDate: "2028-11-20T09:30:00Z",
          cutOverOn: "2026-12-15",
          isRenewal: true,
          isReminder: false,
          url: linkTo(serverPaths.newCertificate(TOKEN)),
        },
      },
    ],
    partnerAnswerMail: [
      {
        kind: "partner-answer",
        title: "Question",
        data: { ...about, partner: "Karl Meier (karl.meier@example.net)", question: "Which SSID do you use with it?" },
      },
      {
        kind: "partner-answer",
        title: "Not theirs",
        data: { ...about, partner: "Karl Meier (karl.meier@example.net)", question: null },
      },
    ],
    partnersPublishedMail: [
      {
        kind: "partners-published",
        title: "Published",
        data: { ...about, told: ["Karl Meier (karl.meier@example.net)"], limited: [], cutOverOn: "2026-12-15" },
      },
    ],
    partnersNotPublishedMail: [
      {
        kind: "partners-published",
        title: "Nobody told",
        data: { ...about, why: "Your company, or these partners, have had too many of these messages today." },
      },
    ],
    partnersReadyMail: [{ kind: "partners-ready", title: "", data: { ...about, cutOverOn: "2026-12-15" } }],
  } satisfies Partial<Examples>;
};
