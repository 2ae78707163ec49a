import { Icon, type IconName } from "./icon.tsx";

interface IconButtonProps {
  icon: IconName;
  name: string;
  onClick: () => void;
}

/** A small icon button whose name is its tooltip. */
export function IconButton({ icon, name, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      onClick={onClick}
      className="inline-flex size-6 flex-none phone:size-11 items-center justify-center rounded-1 text-fg-2 hover:bg-active hover:text-fg"
    >
      <Icon name={icon} size={14} />
    </button>
  );
}
