import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { CsrfField } from "~/components/forms/csrf-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { TextField } from "~/components/forms/text-field";
import { pageTitle } from "~/components/shell/page-title";
import { PromotionBanner } from "~/components/shell/promotion-banner";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { PageHeader } from "~/components/ui/page-header";
import { type findBanner } from "~/domain/homepage/homepage.service.server";
import { ADDRESS_LIMIT, TOOLTIP_LIMIT } from "~/domain/homepage/texts";
import { homepageValidator as validator } from "~/domain/homepage/validators";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";
import { FORM, REMOVE } from "./form";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

const LABELS = { banner: "Banner Image URL", link: "Image Link URL", tooltip: "Image Tooltip" } as const;

export default function ManageHomepage() {
  const { settings, mayChange } = useLoaderData<typeof loader>();
  const answer = useActionData<{ asked?: Record<string, string> }>();
  return (
    <ConfirmStep
      asked={answer?.asked}
      title="Remove banner"
      question="Are you sure you wish to remove the banner from the login screen?"
      confirmLabel="Remove banner"
      cancelTo={staffPaths.manage}
    >
      <div className="stack-l">
        <ErrorSummary formId={FORM} order={Object.keys(LABELS)} labels={LABELS} />
        <PageHeader title="Manage Homepage" back={{ to: paths.dashboard }}>
          The banner is shown on the login screen, 450 by 200 pixels. It leads to the link.
        </PageHeader>
        {mayChange && <HomepageForm settings={settings} />}
        {settings && <CurrentBanner settings={settings} mayChange={mayChange} />}
      </div>
    </ConfirmStep>
  );
}

function HomepageForm({ settings }: { settings: Awaited<ReturnType<typeof findBanner>> }) {
  return (
    <PortalForm id={FORM} validator={validator} defaultValues={settings ?? undefined}>
      <TextField
        name="banner"
        label={LABELS.banner}
        type="url"
        maxLength={ADDRESS_LIMIT}
        autoComplete="off"
        hint="When the portal is at an https:// address, so must the image be: browsers block images from http:// addresses there."
      />
      <TextField name="link" label={LABELS.link} type="url" maxLength={ADDRESS_LIMIT} autoComplete="off" />
      <TextField
        name="tooltip"
        label={LABELS.tooltip}
        maxLength={TOOLTIP_LIMIT}
        autoComplete="off"
        hint={`What the image says, in at most ${TOOLTIP_LIMIT} characters. It is also read out to people who do not see the image.`}
      />
      <ButtonRow>
        <SubmitButton>Update</SubmitButton>
        <LinkButton to={paths.dashboard}>Cancel</LinkButton>
      </ButtonRow>
    </PortalForm>
  );
}

interface BannerProps {
  settings: React.ComponentProps<typeof PromotionBanner>;
  mayChange: boolean;
}

function CurrentBanner({ settings, mayChange }: BannerProps) {
  return (
    <Card title="Current banner">
      <PromotionBanner {...settings} />
      {mayChange && (
        <Form method="post">
          <CsrfField />
          <SubmitButton intent={REMOVE.intent} variant="caution" small>
            Remove banner
          </SubmitButton>
        </Form>
      )}
    </Card>
  );
}

export const meta = pageTitle("Manage Homepage");
