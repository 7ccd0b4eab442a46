import { TextField } from "../forms/text-field";

export const CODE_LABEL = "Code";

const HINTS = {
  new: "The six digits that the app shows now.",
  app: "The six digits that your authenticator app shows now, or one of your recovery codes.",
  recovery: "One of your recovery codes.",
};

/**
 * The field for a code of an authenticator app or a recovery code. Paste and the browser's own suggestions work.
 *
 * @param props.of What the user has: an app that is being added, an app, or only recovery codes.
 */
export const FactorCodeField = ({ of }: { of: keyof typeof HINTS }) => (
  <TextField
    name="code"
    label={CODE_LABEL}
    hint={HINTS[of]}
    autoComplete="one-time-code"
    inputMode={of === "new" ? "numeric" : undefined}
    autoCapitalize="characters"
    spellCheck={false}
    maxLength={40}
    mono
  />
);
