import { certificatePaths } from "~/lib/certificate-paths";
import { paths } from "~/lib/paths";
import { serverPaths } from "~/lib/server-paths.server";
import { COMMON_NAME, type Examples, linkTo } from "./example.server";

/** Returns the example data of the messages about codes and their certificates. */
export const codeExamples = () => {
  const entity = "AB1200, Example Parts Plant 1";
  return {
    entityChangedMail: [
      {
        kind: "entity-changed",
        title: "",
        data: {
          name: "Anna",
          entity,
          company: "Example Parts Ltd",
          what: "The entity has published a certificate in the register.",
          certificates: [
            {
              commonName: COMMON_NAME,
              serialNumber: "3F:A4:C1:D2:0B:5E:6F:70:81:92:A3:B4:C5:D6:E7:F8",
              sha256: Array.from({ length: 32 }, () => "A1").join(":"),
              expiryDate: "2028-11-20T09:30:00Z",
            },
          ],
          url: linkTo(certificatePaths.entity(20001)),
          stopUrl: linkTo(serverPaths.stopFollowing("7-abcdefghijklmnopqrstuv")),
        },
      },
    ],
    codeEndedMail: [
      {
        kind: "code-ended",
        title: "",
        data: {
          name: "Anna",
          entity,
          status: "Cancelled",
          oftpId: "O0177AB1200000000",
          certificates: [{ id: 1001, commonName: COMMON_NAME, expiryDate: "2028-11-20T09:30:00Z" }],
          url: linkTo(paths.codeDetails({ code: 20001 })),
        },
      },
    ],
  } satisfies Partial<Examples>;
};
