import { accountPaths } from "~/lib/account-paths";
import { type Examples, linkTo } from "./example.server";

/** Returns the example data of the messages about standing authorisations. */
export const standingExamples = () => {
  const about = {
    name: "Anna",
    company: "Example Parts Ltd",
    number: 12,
    organisation: "Example Parts Ltd",
    purchaseOrderNumber: "PO-2027-0042",
    endDay: "31/12/2027",
    url: linkTo(accountPaths.standingAuthorisation(12)),
  };
  const ended = { ...about, why: "The purchase order was replaced.", wasApproved: true };
  const refused = { ...ended, why: "The contact does not agree.", wasApproved: false };
  return {
    standingApprovedMail: [{ kind: "standing-approved", title: "", data: about }],
    standingEndedMail: [
      { kind: "standing-ended", title: "ended", data: ended },
      { kind: "standing-ended", title: "not approved", data: refused },
    ],
    standingReminderMail: [{ kind: "standing-reminder", title: "", data: { ...about, daysLeft: 30 } }],
  } satisfies Partial<Examples>;
};
