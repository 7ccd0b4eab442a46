import { usePortalField } from "./portal-field";

type InputProps = React.ComponentPropsWithoutRef<"input">;

/** A value that travels with the form unseen; it comes back with a refused form like what was typed. */
export function HiddenField({ name }: { name: string }) {
  const { getInputProps } = usePortalField(name);
  return <input {...getInputProps<InputProps>({ type: "hidden" })} />;
}
