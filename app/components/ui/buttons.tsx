import { Link, type LinkProps, useNavigation } from "@remix-run/react";
import { useContext } from "react";
import { useIsSubmitting } from "remix-validated-form";
import { FormIdContext, NO_FORM } from "../forms/form-id";

export type ButtonVariant = "primary" | "secondary" | "caution" | "danger" | "quiet";

const classFor = (variant: ButtonVariant, small?: boolean) =>
  ["btn", variant !== "secondary" && variant, small && "small"].filter(Boolean).join(" ");

interface SubmitButtonProps extends Omit<React.ComponentPropsWithoutRef<"button">, "type" | "disabled" | "className"> {
  variant?: ButtonVariant;
  small?: boolean;
  /** Sent as `intent=…`. */
  intent?: string;
  /** Whether the form is sent without validation in the browser, as by the buttons Back, Cancel and Import. */
  skipValidation?: boolean;
  /** Shown while the form is being sent. */
  busyText?: string;
}

/**
 * A submit button that submits once. While its form is being sent, it shows `busyText`, if there is one, and ignores clicks. It is never
 * `disabled`, because browsers do not send the value of a disabled button.
 */
export function SubmitButton(props: SubmitButtonProps) {
  const { variant = "primary", small, intent, skipValidation, busyText, onClick, children, ...rest } = props;
  const formId = useContext(FormIdContext);
  const formBusy = useIsSubmitting(formId ?? NO_FORM);
  const navigation = useNavigation();
  const busy = formId ? formBusy : navigation.state === "submitting";
  const barred = busy || rest["aria-disabled"] === true;
  return (
    <button
      {...(intent === undefined ? {} : { name: "intent", value: intent })}
      {...rest}
      type="submit"
      className={classFor(variant, small)}
      formNoValidate={skipValidation}
      aria-disabled={barred || undefined}
      onClick={(event) => {
        if (barred) event.preventDefault();
        onClick?.(event);
      }}
    >
      {busy && busyText ? busyText : children}
    </button>
  );
}

interface LinkButtonProps extends Omit<LinkProps, "className"> {
  variant?: ButtonVariant;
  small?: boolean;
}

/** A link that looks like a button. It opens a page and changes nothing. */
export function LinkButton({ variant = "secondary", small, ...rest }: LinkButtonProps) {
  return <Link {...rest} className={classFor(variant, small)} />;
}

export function ButtonRow({ children }: { children: React.ReactNode }) {
  return <div className="row">{children}</div>;
}
