import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { CODE_LABEL, FactorCodeField } from "~/components/accounts/factor-code-field";
import { FirstFactorAdded } from "~/components/accounts/recovery-codes";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { TextField } from "~/components/forms/text-field";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { CopyButton } from "~/components/ui/copy-button";
import { PageHeader } from "~/components/ui/page-header";
import { addApp, offerApp, readAppOffer } from "~/domain/accounts/factors/apps.service.server";
import { newAppValidator as validator } from "~/domain/accounts/factors/validators";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUserFor } from "~/http/guard.server";
import { targetOf } from "~/http/redirects";
import { invalid, refused } from "~/http/responses.server";
import { FORM_TASKS } from "~/http/step-up-tasks.server";
import { requireFormStepUp, requireStepUp } from "~/http/step-up.server";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";

const FORM = "new-app";
const LABELS = { code: CODE_LABEL, name: "Name" };

const offerIn = (request: Request) => new URL(request.url).searchParams.get("offer") ?? "";

/** Opens the page with a secret in its address, so that it stays the same when the page is loaded again or a code was wrong. */
export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUserFor(request, "missingFactor");
  if (user.impersonator) throw redirect(paths.secondFactors()); // only the user can add one, which that page says
  await requireStepUp(request, user, "app");
  const target = targetOf(request);
  const offered = await readAppOffer(user, offerIn(request));
  if (!offered) throw redirect(rarePaths.newAuthenticatorApp(target, offerApp(user)));
  return json({ offered: offered === "added" ? null : offered, target });
}

/** The page that shows the recovery codes needs nothing else. */
export const shouldRevalidate = () => false;

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUserFor(request, "missingFactor");
  const fields = await readForm(request);
  await requireFormStepUp(request, user, { fields, formId: FORM }, FORM_TASKS.addApp);
  const form = await validator.validate(fields);
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    const codes = await addApp(user, { ...form.data, offer: offerIn(request) });
    if (codes) return json({ codes });
    const text = "The authenticator app has been added.";
    return await redirectWithToast(request, paths.secondFactors(targetOf(request)), { kind: "ok", text });
  } catch (error) {
    return refused(error, form.submittedData, FORM);
  }
}

export default function NewAuthenticatorApp() {
  const { offered, target } = useLoaderData<typeof loader>();
  const codes = useActionData<{ codes?: string[] }>()?.codes;
  if (codes) return <FirstFactorAdded title="The authenticator app has been added" codes={codes} target={target} />;
  if (!offered)
    return (
      <div className="narrow stack-l">
        <PageHeader title="This authenticator app has been added">Its key is not shown again.</PageHeader>
        <LinkButton to={paths.secondFactors(target)} variant="primary">
          Second factors
        </LinkButton>
      </div>
    );
  const { secret, qr } = offered;
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={FORM} labels={LABELS} />
      <PageHeader title="Add an authenticator app" back={{ to: paths.secondFactors(target), label: "Second factors" }}>
        <p>
          Scan this code with your authenticator app, or type the key into it. Then enter the code that the app shows.
        </p>
      </PageHeader>
      <div className="qr">
        <svg viewBox={`-4 -4 ${qr.size + 8} ${qr.size + 8}`} role="img" aria-label="QR code for the authenticator app">
          <path d={qr.path} />
        </svg>
      </div>
      <p>
        Key: <span className="mono">{secret}</span>{" "}
        <CopyButton value={secret.replaceAll(" ", "")} label="Copy the key" />
      </p>
      <PortalForm id={FORM} validator={validator} defaultValues={{ name: "Authenticator app" }}>
        <FactorCodeField of="new" />
        <TextField
          name="name"
          label={LABELS.name}
          hint="How you recognise the app, such as the name of your telephone."
          maxLength={60}
          autoComplete="off"
        />
        <ButtonRow>
          <SubmitButton>Add the app</SubmitButton>
          <LinkButton to={paths.secondFactors(target)}>Cancel</LinkButton>
        </ButtonRow>
      </PortalForm>
    </div>
  );
}

export const meta = pageTitle("Add an authenticator app");
