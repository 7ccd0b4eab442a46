import { type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { AcmeKeys, type AskedKeyRevocation, type ShownKey } from "~/components/acme/acme-keys";
import { pageTitle } from "~/components/shell/page-title";
import { requireUser } from "~/http/guard.server";
import { changeKeys, keysPage } from "./keys.server";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request, "manage-company");
  return keysPage(request, user, params.id);
}

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request, "manage-company");
  return changeKeys(request, user, params.id);
}

export default function AcmeKeysOfStanding() {
  const answer = useActionData<{ asked?: AskedKeyRevocation; shown?: ShownKey }>();
  return <AcmeKeys {...useLoaderData<typeof loader>()} asked={answer?.asked} shown={answer?.shown} />;
}

export const meta = pageTitle<typeof loader>(({ data }) =>
  data ? `Automate with ACME under standing authorisation ${data.standingId}` : "Automate with ACME",
);
