import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { PersonalDataTables } from "~/components/accounts/personal-data";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton } from "~/components/ui/buttons";
import { PageHeader } from "~/components/ui/page-header";
import { readPersonalData } from "~/domain/accounts/personal-data/export.service.server";
import { requireUserFor } from "~/http/guard.server";
import { requireStepUp } from "~/http/step-up.server";
import { accountPaths } from "~/lib/account-paths";
import { paths } from "~/lib/paths";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUserFor(request, "missingDetails");
  await requireStepUp(request, user, "own-data");
  return json(await readPersonalData(user, user.id));
}

export default function PersonalData() {
  const data = useLoaderData<typeof loader>();
  return (
    <div className="stack-l">
      <PageHeader title="Your data" back={{ to: paths.userManagement, label: "User Details" }}>
        <p>Everything that this portal holds about you. You can download it as a file, or print this page.</p>
      </PageHeader>
      <ButtonRow>
        <LinkButton to={accountPaths.personalDataFile} reloadDocument variant="primary">
          Download your data
        </LinkButton>
        <LinkButton to={accountPaths.eraseData}>Erase your data</LinkButton>
      </ButtonRow>
      <PersonalDataTables data={data} />
    </div>
  );
}

export const meta = pageTitle("Your data");
