import { type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { counted } from "~/components/certificates/approved-orders";
import { AskAboutOrders } from "~/components/certificates/ask-about-orders";
import { pageTitle } from "~/components/shell/page-title";
import { REMIND_CONTACTS } from "~/domain/certificates/queue/contact-reminder.server";
import { actOnSelection, askAboutSelection } from "~/http/selected-orders.server";

export const loader = ({ request }: LoaderFunctionArgs) => askAboutSelection(request, REMIND_CONTACTS);

export const action = ({ request }: ActionFunctionArgs) =>
  actOnSelection(request, REMIND_CONTACTS, {
    doneText: (count) => `${counted(count, "contact")} ${count === 1 ? "is" : "are"} reminded by email.`,
    moreText: (more) => `Nobody is reminded about ${counted(more, "other order")} either.`,
  });

export default function RemindContacts() {
  const asked = useLoaderData<typeof loader>();
  const contacts =
    asked.ready.length === 1 ? "contact of this order" : `contacts of these ${asked.ready.length} orders`;
  return (
    <AskAboutOrders
      {...asked}
      title="Remind contacts"
      none="None of the selected orders has a contact to remind."
      question={`Are you sure you wish to remind the ${contacts} by email?`}
      confirmLabel="Remind"
      captions={{ ready: "Orders whose contacts are reminded", refused: "Orders whose contacts are not reminded" }}
    />
  );
}

export const meta = pageTitle("Remind contacts");
