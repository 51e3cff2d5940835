// Line icons of 16 px.
const paths = new Map<string, string>([
  ['undo', 'M6 3L2.500 6.500 6 10M3 6.500h6.500a4 4 0 0 1 0 8H7'],
  ['redo', 'M10 3l3.500 3.500L10 10M13 6.500H6.500a4 4 0 0 0 0 8H9'],
  ['look', 'M8 2v3M8 11v3M2 8h3M11 8h3M8 8h.01'],
  ['knife', 'M2 13.500L13.500 2v4.500L7 13M5 13.500h9'],
  ['measure', 'M2 11L11 2l3 3-9 9zM5 8l1.500 1.500M7.500 5.500L9 7'],
  ['walk', 'M8.500 3.200a1.200 1.200 0 1 0 0-.01M8.500 5.500L7 9.500l2.500 2L9 15M7 9.500L5 14.500M8.500 5.500L5.500 7.500M8.500 5.500l2.500 3'],
  ['frame', 'M2 5.500V2h3.500M10.500 2H14v3.500M14 10.500V14h-3.500M5.500 14H2v-3.500M6 6h4v4H6z'],
  ['home', 'M2 8l6-5.500L14 8M4 7v6.500h8V7'],
  ['contours', 'M1.500 11c3-4 4-.5 6.500-3s3-5 6.500-4M1.500 14c4-3 5 0 8-2.500s2-4 5-4M1.500 7.500c2-3 3-1 4.500-3s1-2 3-2.500'],
  ['water', 'M8 2c2.500 3.500 4 5.400 4 7.500a4 4 0 0 1-8 0C4 7.400 5.500 5.500 8 2z'],
  ['dice', 'M2.500 2.500h11v11h-11zM5.500 5.500h.01M10.500 5.500h.01M8 8h.01M5.500 10.500h.01M10.500 10.500h.01'],
  ['export', 'M8 10V2M5 5l3-3 3 3M2.500 9v4.500h11V9'],
  ['still', 'M2 4.500h3L6.500 3h3L11 4.500h3v8.500H2zM8 11a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5'],
  ['history', 'M2.500 8a5.500 5.500 0 1 0 1.800-4.100L2.500 5.500M2.500 2v3.500H6M8 5v3.500l2.500 1.500'],
  ['compare', 'M8 1.500v13M6 3.500H2v9h4M10 3.500h4v9h-4'],
  ['stop', 'M4 4h8v8H4z'],
  ['pause', 'M5.500 3v10M10.500 3v10'],
  ['play', 'M4.500 2.500l8 5.500-8 5.500z'],
  ['help', 'M5.500 6a2.500 2.500 0 1 1 3.600 2.200c-.8.4-1.100.8-1.100 1.800M8 12.800h.01'],
  ['copy', 'M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3'],
  ['close', 'M3.500 3.500l9 9M12.500 3.500l-9 9'],
  ['presets', 'M2 2.500h5v4.500H2zM9 2.500h5v4.500H9zM2 9h5v4.500H2zM9 9h5v4.500H9z'],
  ['strip', 'M1.500 6h4v4h-4zM6.500 6h4v4h-4zM11.500 6h3v4h-3z'],
  ['graph', 'M1.500 2.500h4v3h-4zM1.500 10.500h4v3h-4zM10.500 6.500h4v3h-4zM5.500 4c3 0 2 4 5 4M5.500 12c3 0 2-4 5-4'],
  ['list', 'M2 4h.01M5 4h9M2 8h.01M5 8h9M2 12h.01M5 12h9'],
  ['add', 'M8 3v10M3 8h10'],
  ['tidy', 'M2 2.500h4v4H2zM2 9.500h4v4H2zM10 6h4v4h-4zM6 4.500h2v7H6M8 8h2'],
  ['remove', 'M3 4.500h10M6 4.500v-2h4v2M4.500 4.500l.7 9h5.600l.7-9'],
  ['group', 'M2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3M5 6h3v3H5zM8 8h3v3H8z'],
  ['save', 'M2.500 2.500h9l2 2v9h-11zM5 2.500v4h5v-4M5 13.500v-4h6v4'],
  ['brush', 'M13.500 2.500l-6 6.500M13.500 2.500c.8.8-3.200 6.500-5 7.800L6.800 8.600c1.300-1.800 5.900-6.900 6.700-6.100zM6.500 9.200c-2 0-2.500 1.300-2.600 2.500-.1.900-.6 1.400-1.400 1.800 2.300.7 5 .4 5.300-2.400'],
  ['raise', 'M1.500 13c3 0 3.500-4 6.500-4s3.500 4 6.500 4M8 6.500v-4M6 4.300l2-2 2 2'],
  ['lower', 'M1.500 6.500c3 0 3.500 6.500 6.500 6.500s3.500-6.500 6.500-6.500M8 2.500v5M6 5.700l2 2 2-2'],
  ['level', 'M1.500 9h13M4 5.500L8 3l4 2.500M4 12.500h8'],
  ['set', 'M1.500 13h13M3.500 13V6.500h9V13M8 5V1.800M6.500 3.500L8 5l1.500-1.500'],
  ['smooth', 'M1.500 11.500c2-5 4-5 6.500-2.500s4.500 2.500 6.500-2.500'],
  ['harden', 'M8 2l5 3v6l-5 3-5-3V5zM8 5.500v5M5.500 8h5'],
  ['weaken', 'M8 2l5 3v6l-5 3-5-3V5zM5.500 8h5'],
  ['arch', 'M2 13.500V10a6 6 0 0 1 12 0v3.500h-3V10a3 3 0 0 0-6 0v3.500z'],
  ['cave', 'M1.500 13.500L4 6l4-3.500L12.500 6l2 7.500h-4c0-3-1-4.500-2.500-4.500s-2.500 1.500-2.500 4.500z'],
  ['strata', 'M2 3.500h9M2 6.500h12M2 9.500h8M2 12.500h11'],
  ['pen', 'M3 13l.7-3L11 2.700 13.300 5 6 12.300z'],
  ['layers', 'M8 2l6 3-6 3-6-3zM2 8l6 3 6-3M2 11l6 3 6-3'],
]);

export function Icon({ name }: { name: string }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths.get(name) ?? ''} />
    </svg>
  );
}

interface ButtonProps {
  icon: string;
  label: string;
  keys?: string;
  on?: boolean;
  disabled?: boolean;
  text?: string;
  onClick(): void;
}

export function IconButton({ icon, label, keys, on, disabled, text, onClick }: ButtonProps) {
  return (
    <button
      type="button" className={`tool${on ? ' on' : ''}`} aria-label={label} aria-pressed={on} aria-keyshortcuts={keys}
      title={keys ? `${label} (${keys})` : label} disabled={disabled} onClick={onClick}
    >
      <Icon name={icon} />
      {text ? <span>{text}</span> : null}
    </button>
  );
}
