import { each, flags, maybe, noSpan, opaqueEffect, reachesUnknown, takes, tool, toolFamily } from '../notation.ts';
import { hasOption } from '../parsed-options.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { mayBeSeveral, plainText, wordAsTyped } from '../words.ts';

const reachesCloud = reachesUnknown('the cloud');

/**
 * Questions to a cloud. Their words are matched as one text, because each cloud has thousands of options. Another word
 * is not understood.
 */
const asks =
  (questions: RegExp): Refine =>
  (parsed, context) => {
    const words = parsed.operands.map((word) => plainText(word) ?? (mayBeSeveral(word) ? '$' : 'text'));
    const text = words.join(' ');
    const isPlain = !words.some(
      (word) => word === '$' || /^--(?:ca-bundle|cli-\w|configuration|impersonate|flags-file)/u.test(word),
    );
    const span = parsed.operands[0]?.span ?? noSpan;
    const deletes = isPlain && deleting.test(text);
    return {
      ...reachesCloud(parsed, context),
      opaque:
        questions.test(text) && isPlain
          ? []
          : deletes
            ? [{ kind: 'unknown-tool', message: 'deletes something there', span, atMost: 'destroys' }]
            : [{ kind: 'unknown-tool', message: 'its effect there is not known', span }],
    };
  };

/** `delete-bucket`, `terminate-instances`, `rm`, `projects delete`. */
const deleting =
  /^(?:(?:delete|terminate|batch-delete|deregister|purge)-[\w-]+|r[mb]|(?:[a-z][\w-]* ){1,3}delete)(?: |$)/u;

/** Copies between a bucket and here. `--delete` also deletes at the destination. */
const copies: Refine = (parsed, context) => {
  const [verb, ...rest] = parsed.operands;
  const files = rest.filter((word) => !wordAsTyped(word).startsWith('-'));
  const [, to] = files;
  const isPlain =
    /^(?:cp|sync|mv)$/u.test(plainText(verb) ?? '') &&
    files.length === 2 &&
    rest.every((word) => /^(?:[^-$]|--(?:recursive|quiet|dryrun|no-progress|delete)$)/u.test(plainText(word) ?? '$'));
  if (!isPlain || to === undefined || verb === undefined) return asks(/^ls(?: .*)?$/su)(parsed, context);
  const deletes = plainText(verb) === 'mv' || rest.some((word) => plainText(word) === '--delete');
  return {
    ...reachesCloud(parsed, context),
    writes: wordAsTyped(to).startsWith('s3://') ? [] : [context.path(to, 'write', 'tree')],
    opaque: deletes
      ? [{ kind: 'unknown-tool', message: 'deletes something there', span: verb.span, atMost: 'destroys' }]
      : [],
  };
};

/** `get-object` and the like write a file of the command line, and `get-login-password` prints a secret. */
const ofService =
  /^(?:describe|list|tail|batch-get|filter-log-events|lookup-events|scan|query|head-object|head-bucket|get-(?:caller-identity|user|role|policy|function|parameters?|parameters-by-path|metric-statistics|log-events|bucket-\w+|queue-attributes|topic-attributes|item|rest-apis|cost-and-usage))(?:-[\w-]+)?(?: .*)?$/su;

const services =
  'ec2 sts iam logs lambda dynamodb s3api cloudformation ecs ecr eks rds sqs sns ssm secretsmanager cloudwatch route53 elbv2 elb autoscaling kms apigateway apigatewayv2 stepfunctions events cloudfront cognito-idp glue athena batch codebuild codepipeline elasticache kinesis organizations redshift ce acm wafv2 efs opensearch';

const settings = [
  ...flags('--version', '--no-cli-pager', '--no-sign-request', '--debug', '--no-paginate'),
  ...takes('text', '--profile', '--region', '--output', '--query', '--color'),
];

/** The command lines of clouds, as far as they only ask. */
const cloudQuestions: readonly ToolSpec[] = [
  toolFamily(
    'aws',
    [
      ...services
        .split(' ')
        .map((name) => tool(name, { grammar: 'words', operands: each('text'), refine: asks(ofService) })),
      tool('s3', { grammar: 'words', operands: each('text'), refine: copies }),
      tool('configure', { grammar: 'words', operands: each('text'), refine: asks(/^list-profiles$/u) }),
    ],
    { options: settings },
  ),
  tool('gcloud', {
    grammar: 'words',
    operands: each('text'),
    refine: asks(
      /^(?:--(?:project|format|quiet)[= ]\S+ )*(?:(?:projects|services|functions|secrets|builds|config|auth|compute (?:instances|disks|networks|images|zones|regions|addresses|firewall-rules|machine-types|snapshots|ssl-certificates)|container (?:clusters|node-pools|images)|run (?:services|revisions|jobs)|sql (?:instances|databases|users)|iam (?:service-accounts|roles)|pubsub (?:topics|subscriptions)|dns managed-zones|artifacts repositories|storage buckets|app (?:services|versions)|config configurations) (?:list|describe)|config get(?:-value)?|logging read|info|version)(?: .*)?$/su,
    ),
  }),
  tool('az', {
    grammar: 'words',
    operands: each('text'),
    refine: asks(
      /^(?:(?:account|group|vm|vmss|aks|acr|acr repository|webapp|functionapp|appservice plan|storage account|network (?:vnet|nsg|public-ip|nic|lb|vnet subnet)|keyvault|sql server|sql db|resource|role assignment|role definition|ad (?:user|group|sp|app)|cosmosdb|redis|disk|image|containerapp|monitor log-analytics workspace|deployment group|provider) (?:list|show)|version)(?: .*)?$/su,
    ),
  }),
];

/** They have hundreds of subcommands. Subcommands that are not listed are not understood. */
export const clouds: readonly ToolSpec[] = [
  toolFamily(
    'terraform tofu',
    [
      tool('version', { grammar: 'long', options: flags('-json') }),
      tool('fmt', {
        grammar: 'long',
        options: [
          ...flags('-diff', '-recursive', '-list'),
          { names: ['-check'], operands: { kind: 'each', role: 'read-tree', absent: '.' } },
        ],
        operands: { kind: 'each', role: 'write-tree', absent: '.' },
      }),
      tool('validate show output graph providers state init plan apply destroy import refresh workspace', {
        grammar: 'long',
        options: [
          ...flags(
            '-json',
            '-no-color',
            '-input',
            '-auto-approve',
            '-upgrade',
            '-refresh-only',
            '-destroy',
            '-reconfigure',
          ),
          ...takes('text', '-var', '-target', '-lock', '-parallelism', '-backend-config', '-replace'),
          ...takes('read', '-var-file', '-state'),
          ...takes('write', '-out'),
        ],
        operands: each('text'),
        always: [opaqueEffect('inline-code', 'runs providers and provisioners that the project names')],
        refine: reachesUnknown('the providers'),
      }),
    ],
    { grammar: 'long', options: [...takes('directory', '-chdir'), ...flags('-version', '-help')] },
  ),
  ...['ansible', 'ansible-playbook', 'pulumi', 'vagrant', 'packer'].map((name) =>
    tool(name, {
      options: [
        ...flags('--version', '--help', '-v', '--check', '--diff', '--list-hosts', '--syntax-check'),
        ...takes('text', '-i --inventory', '-l --limit', '-t --tags', '-e --extra-vars'),
      ],
      operands: each('text'),
      always: [opaqueEffect('inline-code', 'runs commands that the project names, here and on other hosts')],
      refine: reachesUnknown('the hosts of the inventory'),
    }),
  ),
  ...cloudQuestions,
  ...['doctl', 'flyctl', 'fly', 'heroku', 'vercel', 'netlify', 'wrangler', 'firebase', 'supabase'].map((name) =>
    tool(name, {
      options: [...flags('--version', '--help'), ...maybe('text', '--output', '--query', '--region', '--profile')],
      operands: each('text'),
      refine: (parsed, context) =>
        // `vercel` alone deploys.
        parsed.operands.length === 0 && (name !== 'vercel' || hasOption(parsed, '--version', '--help'))
          ? {}
          : {
              ...reachesUnknown('the cloud')(parsed, context),
              opaque: [
                {
                  kind: 'unknown-tool',
                  message: `the effect of \`${name}\` there is not known`,
                  span: parsed.operands[0]?.span ?? { start: 0, end: 0 },
                },
              ],
            },
    }),
  ),
];
