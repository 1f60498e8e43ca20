import type { SpecialBlock } from './special-blocks.ts';

/**
 * Where clouds hand credentials to whoever asks. Most lie in blocks that are special anyway; they are named so that a
 * refusal can say what was asked for, and because 168.63.129.16 is an ordinary unicast address.
 */
export const metadataAddresses: readonly SpecialBlock[] = [
  { block: '169.254.169.254/32', name: 'instance metadata of AWS, Google, Azure, Oracle, DigitalOcean and OpenStack', source: 'AWS EC2 user guide, instance metadata', treatment: 'special' },
  { block: '169.254.170.2/32', name: 'task credentials of Amazon ECS', source: 'AWS ECS developer guide, task IAM roles', treatment: 'special' },
  { block: '169.254.170.23/32', name: 'pod identity of Amazon EKS', source: 'AWS EKS user guide, pod identities', treatment: 'special' },
  { block: '169.254.42.42/32', name: 'instance metadata of Scaleway', source: 'Scaleway documentation, instance metadata', treatment: 'special' },
  { block: '169.254.0.23/32', name: 'instance metadata of Tencent Cloud', source: 'Tencent Cloud documentation, CVM metadata', treatment: 'special' },
  { block: '100.100.100.200/32', name: 'instance metadata of Alibaba Cloud', source: 'Alibaba Cloud documentation, ECS metadata', treatment: 'special' },
  { block: '192.0.0.192/32', name: 'instance metadata of Oracle Cloud Classic', source: 'Oracle Cloud documentation, instance metadata', treatment: 'special' },
  { block: '168.63.129.16/32', name: 'WireServer of Azure', source: 'Azure documentation, "What is IP address 168.63.129.16"', treatment: 'special' },
  { block: 'fd00:ec2::254/128', name: 'instance metadata of AWS', source: 'AWS EC2 user guide, instance metadata', treatment: 'special' },
  { block: 'fd00:ec2::253/128', name: 'resolver of AWS', source: 'AWS VPC user guide, DNS attributes', treatment: 'special' },
  { block: 'fd00:ec2::23/128', name: 'pod identity of Amazon EKS', source: 'AWS EKS user guide, pod identities', treatment: 'special' },
  { block: 'fd20:ce::254/128', name: 'instance metadata of Google Cloud', source: 'Google Cloud documentation, VM metadata', treatment: 'special' },
  { block: 'fd00:c1::a9fe:a9fe/128', name: 'instance metadata of Oracle Cloud', source: 'Oracle Cloud documentation, instance metadata', treatment: 'special' },
  { block: 'fd00:42::42/128', name: 'instance metadata of Scaleway', source: 'Scaleway documentation, instance metadata', treatment: 'special' },
  { block: 'fd00:a9fe:a9fe::1/128', name: 'instance metadata of Linode', source: 'Linode documentation, metadata service', treatment: 'special' },
  { block: 'fd00:100::100:200/128', name: 'instance metadata of Alibaba Cloud', source: 'Alibaba Cloud documentation, ECS metadata', treatment: 'special' },
  { block: 'fe80::a9fe:a9fe/128', name: 'instance metadata of OpenStack', source: 'OpenStack Nova documentation, metadata service', treatment: 'special' },
];
